"""House: the whole assembled bot, a simulated Telegram, and the page, as people live with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import aiohttp
import sqlalchemy as sa

from adapters._shared.simulator.people import Person
from adapters._shared.simulator.shown import Scene
from adapters.telegram.simulator import TelegramSimulator
from bot.assembly import Assembled, assemble, platforms
from bot.settings import Access, AdapterSettings, AgentSettings, EngineSettings, Limits, Profile, Settings, Web
from bot.system_clock import SystemClock
from tests.support.room import Room
from tests.support.until import until
from tests.support.web_page import Browser

TOKEN = "700000001:simulated-token-of-the-house"
HURRY = 10.0
"""How much faster than ours the clock of a house goes."""
SECONDS = 15.0
"""How long anything may take, by our own clock."""


class HurriedClock:
    """Real time, some times faster: pauses of seconds pass in fractions."""

    def __init__(self, times: float = HURRY) -> None:
        self._real = SystemClock()
        self._times = times
        self._began = self._real.monotonic()
        self._date = self._real.now()

    def now(self) -> datetime:
        return self._date + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return (self._real.monotonic() - self._began) * self._times

    async def sleep(self, seconds: float) -> None:
        await self._real.sleep(seconds / self._times)


def scripted(**extra: Any) -> Profile:
    """Return the profile of a model that answers out of the conversation, at a known price."""
    return Profile(name="scripted", provider="scripted", model="script", usd_in=1000.0, usd_out=2000.0, extra=extra)


def speaks_openai(url: str, key_variable: str = "OPENAI_API_KEY") -> Profile:
    """Return the profile of a model behind an OpenAI-compatible address."""
    return Profile(name="stub", provider="openai", model="stub-1", base_url=url, key_variable=key_variable)


@dataclass(kw_only=True)
class House:
    """A bot with its home, its platforms and its log. It can be closed, or dropped, and started again."""

    home: Path
    log: StringIO
    simulator: TelegramSimulator
    clock: HurriedClock
    settings: Settings
    assembled: Assembled | None = None
    codes: list[str] = field(default_factory=list)
    """One-time codes of the first administrator, as the starts printed them."""
    lies: bool = False
    """Polls were answered what the platform would never answer; their judge is not asked."""

    @property
    def bot(self) -> Assembled:
        assert self.assembled is not None, "the bot is not running"
        return self.assembled

    @property
    def url(self) -> str:
        return self.bot.web.url

    @property
    def records(self) -> str:
        """Everything that was logged so far."""
        return self.log.getvalue()

    # --- the process ------------------------------------------------------------------------------------

    async def start(self) -> None:
        self.assembled = await assemble(self.settings, platforms_of(self.settings), clock=self.clock)
        if self.assembled.first_code is not None:
            self.codes.append(self.assembled.first_code)
        await self.listening()

    async def listening(self) -> None:
        """Wait until a poll of the bot waits for news, or the platform knows where to post them."""
        queue = self.simulator.bot().updates
        await until(lambda: queue.is_polled or queue.pending > 0 or bool(queue.webhook_url), SECONDS)

    async def close(self) -> None:
        """End as an operator ends it."""
        assembled, self.assembled = self.assembled, None
        if assembled is not None:
            await assembled.close()

    async def drop(self) -> None:
        """Stop in the middle of everything: nothing is brought to its end."""
        self.bot.lost.set()
        await self.close()

    async def restart(self) -> None:
        await self.close()
        await self.start()

    async def quiet(self) -> None:
        """Wait until every update was taken in and every run and delivery has come to its end."""
        await until(lambda: not self.simulator.bot().updates.pending, SECONDS)
        statement = (
            "SELECT (SELECT count(*) FROM run WHERE status IN ('queued', 'running'))"
            " + (SELECT count(*) FROM inbox WHERE lane = 'control' AND NOT done)"
            " + (SELECT count(*) FROM outbox WHERE status IN ('open', 'pending'))"
        )
        async with asyncio.timeout(SECONDS):
            while (await self.rows(statement))[0][0]:  # noqa: ASYNC110  (the database tells nobody)
                await asyncio.sleep(0.01)

    async def rows(self, sql: str, **values: Any) -> Sequence[Sequence[Any]]:
        """Return what the database holds."""
        return await self.bot.storage.database.read(_rows, (sql, values))

    async def heard(self) -> str:
        """Return what people said, as it stands in the threads, in order."""
        found = await self.rows("SELECT body FROM item WHERE kind = 'user' ORDER BY thread_id, seq")
        return "\n".join(str(row[0]) for row in found)

    # --- people -----------------------------------------------------------------------------------------

    def person(self, name: str) -> Person:
        return self.simulator.person(name)

    def private(self, name: str = "Ann") -> Room:
        """Return somebody's private chat with the bot."""
        person = self.person(name)
        return Room(scene=self.simulator.private(person), person=person, seconds=SECONDS)

    def at(self, scene: Scene, name: str = "Ann") -> Room:
        """Return somebody in a chat."""
        return Room(scene=scene, person=self.person(name), seconds=SECONDS)

    @asynccontextmanager
    async def browser(self, code: str = "") -> AsyncIterator[Browser]:
        """Open a browser at the page; with a code it is signed in."""
        async with aiohttp.ClientSession(self.url, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            browser = Browser(session)
            if code:
                await browser.sign_in(code)
            yield browser

    async def get(self, path: str) -> tuple[int, str]:
        """Ask the bot's own server for a page."""
        async with aiohttp.ClientSession(self.url) as session, session.get(path) as response:
            return response.status, await response.text()

    # --- files ------------------------------------------------------------------------------------------

    async def thread_of(self, room_key_part: str) -> int:
        """Return the thread of the room whose key holds these words."""
        found = await self.rows("SELECT thread_id FROM topic WHERE room_key LIKE :key", key=f"%{room_key_part}%")
        assert len(found) == 1, found
        return int(found[0][0])

    def folder(self, thread_id: int, part: str) -> Path:
        """Return where a thread's files lie; `part` is `uploads` or `outputs`."""
        return self.home / "files" / str(thread_id) / part


def _rows(connection: sa.Connection, asked: tuple[str, Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(sa.text(asked[0]), dict(asked[1]))]


def platforms_of(settings: Settings) -> Mapping[str, Any]:
    """Return the adapters that the settings turn on."""
    found = platforms()
    return {name: found[name] for name in settings.adapters}


def house_settings(home: Path, api_url: str, **changes: Any) -> Settings:
    """Return settings of a house; `changes` are fields of `Settings`."""
    home.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {
        "home": home,
        "database_url": "",
        "secret_key": "",
        "web": Web(port=0),
        "access": Access(open=True),
        "limits": Limits(messages_per_minute=10_000, room_messages_per_minute=10_000),
        "engine": EngineSettings(),
        "profiles": (scripted(),),
        "agents": {"default": AgentSettings(name="default")},
        "adapters": {
            "telegram": AdapterSettings(
                environment={"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": api_url}, options={"poll_seconds": 30}
            ),
            "web": AdapterSettings(environment={}, options=platforms()["web"].options),
        },
        "keys": {},
    }
    return Settings(**{**found, **changes})
