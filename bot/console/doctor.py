"""`deckhand doctor`: check everything that must hold, and name the cure of what does not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.adapter import Check
from bot.console import _texts as texts
from bot.errors import SettingsError
from bot.subcommand import Subcommand, Summons

FOUND_SOMETHING = 1


def run(summons: Summons) -> int:
    """Show every check; the exit code says whether all is well."""
    checks = asyncio.run(examine(summons))
    for check in checks:
        summons.terminal.say(texts.check(check.ok, check.title, check.fix))
    failed = sum(not check.ok for check in checks)
    summons.terminal.say(texts.findings(failed))
    return FOUND_SOMETHING if failed else 0


async def examine(summons: Summons) -> Sequence[Check]:
    """Return every check; with settings that cannot be read there is only one."""
    from bot.console import _checks
    from bot.console._catalogue import platforms
    from bot.console._reading import settings_of, turned_on

    adapters = platforms()
    try:
        settings = settings_of(summons, adapters)
    except SettingsError as error:
        return [Check(ok=False, title=texts.SETTINGS, fix=str(error))]
    chosen = turned_on(settings, adapters)
    return [
        Check(ok=True, title=texts.SETTINGS),
        *_checks.files(summons.folder),
        _checks.turned_on(chosen),
        _checks.clock(),
        await _checks.database(settings),
        *await _checks.models(settings),
        *await _checks.platforms(settings, chosen),
    ]


SUBCOMMAND = Subcommand(name="doctor", summary=texts.DOCTOR, run=run)
