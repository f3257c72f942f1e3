"""The checks of `deckhand doctor` that belong to no platform, and how a platform's own are asked for."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from agent.factory import Models
from agent.model import ProviderError, Request, UserMessage
from bot.adapter import Adapter, Check, Toolkit
from bot.clock import Clock
from bot.console import _texts as texts
from bot.errors import DeckhandError, StartError
from bot.settings import Settings
from bot.settings_reader import ENV_FILE
from bot.system_clock import SystemClock
from commands import found
from storage.doctor import Revisions, examine

RELEASED = datetime(2026, 1, 1, tzinfo=UTC)
"""No clock of a machine that runs this can be right before that day."""
MODEL_SECONDS = 60.0


def files(folder: Path) -> Sequence[Check]:
    """Check that nobody else can read the secrets."""
    path = folder / ENV_FILE
    if not path.exists():
        return ()
    private = not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return (Check(ok=private, title=texts.PRIVATE, fix=texts.FIX_PRIVATE),)


def turned_on(chosen: Mapping[str, Adapter]) -> Check:
    """Check that the bot would listen anywhere."""
    return Check(ok=bool(chosen), title=texts.turned_on(sorted(chosen)), fix=texts.FIX_NO_ADAPTER)


def clock(own: Clock | None = None) -> Check:
    """Check that the machine's clock can be right."""
    now = (own or SystemClock()).now()
    return Check(ok=now >= RELEASED, title=texts.CLOCK, fix=texts.fix_clock(f"{now:%Y-%m-%d %H:%M} UTC"))


async def database(settings: Settings) -> Check:
    """Check that the database answers, and that this program can work with it."""
    try:
        found = await examine(settings)
    except StartError as error:
        return Check(ok=False, title=texts.DATABASE, fix=texts.fix_database(str(error)))
    return judge(found)


def judge(found: Revisions) -> Check:
    """Say what a database's revision means for this program."""
    if found.stored is None:
        return Check(ok=True, title=texts.NO_DATABASE)
    if found.stored == found.wanted:
        return Check(ok=True, title=texts.database(found.stored))
    fix = texts.FIX_OLD if found.stored < found.wanted else texts.FIX_NEW
    return Check(ok=False, title=texts.old_database(found.stored, found.wanted), fix=fix)


async def models(settings: Settings) -> Sequence[Check]:
    """Check that every model can be built, and that the default one answers."""
    known = Models(settings.profiles, settings.keys, settings.limits, SystemClock())
    try:
        checks = [_buildable(known, profile.name) for profile in settings.profiles]
        if checks[0].ok:
            checks[0] = await _answers(known, settings.profiles[0].name)
        return checks
    finally:
        await known.close()


def _buildable(known: Models, name: str) -> Check:
    try:
        known.get(name)
    except DeckhandError as error:
        return Check(ok=False, title=texts.model(name), fix=str(error))
    return Check(ok=True, title=texts.model_set_up(name))


async def _answers(known: Models, name: str) -> Check:
    request = Request(messages=(UserMessage(text="Say ok."),), max_tokens=64)
    try:
        async with asyncio.timeout(MODEL_SECONDS):
            await known.get(name).ask(request, lambda _: None)
    except ProviderError as error:
        # Without a word is an answer too: a model that thinks may have spent its few tokens on that.
        empty = error.kind == "empty"
        return Check(ok=empty, title=texts.model(name), fix=texts.fix_model(str(error)))
    except TimeoutError:
        return Check(ok=False, title=texts.model(name), fix=texts.fix_model(f"no answer in {MODEL_SECONDS:g} s"))
    except DeckhandError as error:
        return Check(ok=False, title=texts.model(name), fix=str(error))
    return Check(ok=True, title=texts.model(name))


async def platforms(settings: Settings, chosen: Mapping[str, Adapter]) -> Sequence[Check]:
    """Ask every platform that is turned on."""
    checks: list[Check] = []
    for name, adapter in chosen.items():
        try:
            checks += await adapter.doctor(_toolkit(settings, name))
        except (DeckhandError, OSError) as error:
            checks.append(Check(ok=False, title=texts.platform(name), fix=str(error)))
    return checks


def _toolkit(settings: Settings, name: str) -> Toolkit:
    own = settings.adapters[name]
    return Toolkit(
        environment=own.environment,
        options=own.options,
        home=settings.home,
        clock=SystemClock(),
        commands=list(found().values()),
        ports={},
    )
