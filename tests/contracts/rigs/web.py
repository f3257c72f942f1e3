"""The web page on trial: a browser without a window, over HTTP, and a real database behind the page."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import aiohttp

from adapters import web
from adapters._shared.server import WebServer
from adapters._shared.simulator.shown import Shown
from adapters.web import ADAPTER
from bot.adapter import Toolkit
from bot.errors import StorageBusy
from bot.events import Room
from bot.transcript import Filling, Message, Writing
from storage.page import Pages
from storage.sqlite import SqliteDatabase
from tests.contracts.rigs._trial import FILL, POST, Rig, Trial, Trouble, checklist
from tests.support.house import HurriedClock
from tests.support.web_page import CODE, COMMANDS, Admission, Browser, create_tables

_ANSWERS = checklist(Path(web.__path__[0]))
_LACKS: Mapping[Trouble, str] = MappingProxyType(
    {
        Trouble.RATE_LIMITED: "our own page asks nobody to wait",
        Trouble.REFUSED: "our own page takes whatever we render",
        Trouble.BROKEN: "page and bot are one process: what breaks is its storage, which counts as unreachable",
    }
)
_ARTICLE = re.compile(r'<article class="message bot".*?</article>', re.DOTALL)
_NOT_SAID = re.compile(
    r'<footer.*?</footer>|<div class="card-actions">.*?</div>|<p class="(?:dots|error)".*?</p>'
    r'|<a class="(?:file|picture|picture-name)[ "].*?</a>',
    re.DOTALL,
)
_WITHIN_A_LINE = re.compile(r"</?(?:a|b|code|del|em|img|input|span|strong)(?:\s[^>]*)?>")
_TAG = re.compile(r"<[^>]*>")
_BUTTON = re.compile(r'<button type="submit"[^>]*>(.*?)</button>', re.DOTALL)
_FILE = re.compile(r'download="(.*?)"')


class FragilePages(Pages):
    """The page's store, whose next verbs can go wrong."""

    def __init__(self, database: SqliteDatabase) -> None:
        super().__init__(database)
        self.trouble: dict[str, Trouble] = {}

    async def post(self, writing: Writing) -> Message | None:
        return await self._through(POST, lambda: super(FragilePages, self).post(writing))

    async def fill(self, filling: Filling) -> Message | None:
        return await self._through(FILL, lambda: super(FragilePages, self).fill(filling))

    async def _through(self, call: str, work: Any) -> Message | None:
        trouble = self.trouble.pop(call, None)
        done: Message | None = None if trouble is Trouble.UNREACHABLE else await work()
        if trouble is not None:
            # A database on another machine may commit and lose its answer.
            raise StorageBusy("the database did not answer")
        return done


class WebTrial(Trial):
    """Ada's conversations."""

    adapter = ADAPTER
    answers = _ANSWERS
    secrets = (CODE,)
    lacks = _LACKS

    def __init__(self, database: SqliteDatabase, home: Path) -> None:
        self._database = database
        self._home = home
        self._clock = HurriedClock(100.0)
        self._pages = FragilePages(database)
        self._admission = Admission()
        self._server = WebServer("127.0.0.1", 0)
        self._cookies = aiohttp.CookieJar(unsafe=True)
        self._csrf = ""
        self._keys = count(1)

    async def begin(self) -> None:
        """Open the page, sign in, and begin two conversations."""
        self.connection = await ADAPTER.open(self.toolkit())
        await self._server.start()
        async with self._session() as session:
            browser = Browser(session)
            await browser.sign_in(CODE)
            self._csrf = browser.csrf
        self.topics = (await self._new_conversation(), await self._new_conversation())
        self.room = self.topics[0]

    async def end(self) -> None:
        await self.connection.close()
        await self._server.stop()

    async def restart(self) -> None:
        await self.end()
        self._server = WebServer("127.0.0.1", 0)
        self.connection = await ADAPTER.open(self.toolkit())
        await self._server.start()

    async def _new_conversation(self) -> Room:
        async with self._session() as session, session.get("/", headers={"Accept": "text/html"}) as response:
            browser = Browser(session)
            browser.read(await response.text())
        # A conversation begins with what a person says; here it was taken in long ago.
        message = await self._pages.say(
            Writing(
                conversation=browser.conversation,
                account="p1",
                key="browser:the-beginning",
                body={"name": "Ada", "text": "the beginning", "files": []},
                now=self._clock.now(),
            )
        )
        await self._pages.taken([message.id])
        return Room(platform="web", workspace="", chat="p1", topic=browser.conversation)

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(self._server.url, cookie_jar=self._cookies)

    @asynccontextmanager
    async def _browser(self, room: Room | None = None) -> AsyncIterator[Browser]:
        async with self._session() as session:
            browser = Browser(session)
            browser.csrf, browser.conversation = self._csrf, (room or self.room).topic
            yield browser

    def _key(self) -> str:
        return f"key-{next(self._keys):05}"

    # --- the person -------------------------------------------------------------------------------------

    async def say(self, text: str, room: Room | None = None) -> str:
        async with self._browser(room) as browser:
            try:
                status, answer = await browser.say(text, key=self._key())
            except aiohttp.ClientError:
                # The process died with the request.
                return ""
        assert status in (200, 503), answer
        return str(answer.get("id", ""))

    async def send(self, *files: tuple[str, bytes]) -> None:
        async with self._browser() as browser:
            stored = [await browser.upload(name, data, "application/octet-stream") for name, data in files]
            status, answer = await browser.say("", key=self._key(), files=[file["id"] for _, file in stored])
        assert status == 200, answer

    async def press(self, message_id: str, place: int) -> None:
        body = {"key": self._key(), "message": int(message_id), "action": place, "values": {}}
        async with self._browser() as browser:
            status, answer = await browser.post(f"/chat/{browser.conversation}/presses", body)
        assert status == 200, answer

    async def edit(self, message_id: str, text: str) -> None:
        raise AssertionError("the page does not offer to change what was said")

    async def shown(self, room: Room | None = None) -> Sequence[Shown]:
        async with (
            self._browser(room) as browser,
            browser.session.get(f"/chat/{browser.conversation}", headers={"Accept": "text/html"}) as response,
        ):
            assert response.status == 200
            return [_read(article) for article in _ARTICLE.findall(await response.text())]

    # --- the platform -----------------------------------------------------------------------------------

    async def garble(self) -> None:
        async with self._browser() as browser:
            status, _ = await browser.post(f"/chat/{browser.conversation}/messages", {"key": self._key(), "text": 5})
        assert status == 400

    async def take_away(self, message_id: str) -> None:
        await self._pages.fill(
            Filling(conversation=self.room.topic, message_id=int(message_id), body=None, now=self._clock.now())
        )

    async def closed(self) -> Room:
        return Room(platform="web", workspace="", chat="p1", topic="a-conversation-of-nobody")

    async def strike(self, trouble: Trouble, call: str) -> None:
        self._pages.trouble[call] = trouble

    async def heal(self) -> None:
        self._pages.trouble.clear()

    async def settled(self) -> None:
        while await self._pages.waiting(None):
            await self._clock.sleep(1.0)

    # --- the account ------------------------------------------------------------------------------------

    def toolkit(self) -> Toolkit:
        return self._toolkit({"web": self._server, "pages": self._pages, "admission": self._admission})

    def bad_toolkit(self) -> Toolkit:
        return self._toolkit({}, public_url="ftp://nowhere")

    def _toolkit(self, ports: dict[str, Any], **options: Any) -> Toolkit:
        return Toolkit(
            environment={},
            options={**ADAPTER.options, **options},
            home=self._home,
            clock=self._clock,
            commands=COMMANDS,
            ports=ports,
        )


def _read(article: str) -> Shown:
    """Return what a person sees of one message."""
    said = _TAG.sub(" ", _WITHIN_A_LINE.sub("", _NOT_SAID.sub(" ", article)))
    return Shown(
        id=article.split('data-id="')[1].split('"')[0],
        text=html.unescape(said).strip(),
        buttons=tuple(html.unescape(label) for label in _BUTTON.findall(article)),
        files=tuple(html.unescape(name) for name in _FILE.findall(article)),
    )


@asynccontextmanager
async def _start(home: Path) -> AsyncIterator[Trial]:
    database = SqliteDatabase(home / "page.db", lock=False)
    await database.write(create_tables, None)
    trial = WebTrial(database, home)
    await trial.begin()
    try:
        yield trial
    finally:
        await trial.end()
        await database.close()


RIG = Rig(name="web", adapter=ADAPTER, answers=_ANSWERS, start=_start)
