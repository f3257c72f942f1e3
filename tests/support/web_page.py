"""The page on a real server over a real database, with a person who may come in and a bot that is told what to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import sqlalchemy as sa
from sqlmodel import SQLModel

from adapters._shared.server import WebServer
from adapters.web import ADAPTER
from bot.adapter import Accepted, Connection, Toolkit
from bot.clock import Clock
from bot.command import Command, Invocation, Outcome
from bot.errors import StorageBusy
from bot.events import Event, Room
from bot.people import Person, Role
from bot.replies import Part, Reply
from bot.system_clock import SystemClock
from storage import page_tables
from storage.page import Pages
from storage.sqlite import SqliteDatabase

CODE = "correct-horse-42"
SECOND_CODE = "another-code-43"


def create_tables(connection: sa.Connection, _: None) -> None:
    SQLModel.metadata.create_all(
        connection,
        tables=[
            page_tables.PAGE_CONVERSATION,
            page_tables.PAGE_MESSAGE,
            page_tables.PAGE_FILE,
            page_tables.PAGE_SESSION,
        ],
    )


class Admission:
    """Fulfils the port with two codes, each good for one person, once."""

    def __init__(self) -> None:
        self.codes = {CODE: 1, SECOND_CODE: 2}
        self.people: dict[str, Person] = {}

    async def redeem(self, code: str, name: str) -> Person | None:
        number = self.codes.pop(code, None)
        if number is None:
            return None
        person = Person(id=number, name=name or "Ada", role=Role.ADMIN)
        self.people[f"p{number}"] = person
        return person

    async def person(self, account: str) -> Person | None:
        return self.people.get(account)


@dataclass
class Intake:
    """What adapters deliver to, as far as the page sees it: deduplicates by event id."""

    events: list[Event] = field(default_factory=list)
    busy: int = 0
    """How many of the next deliveries fail."""
    on_event: Any = None
    said: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def __call__(self, events: Sequence[Event]) -> Sequence[Accepted]:
        if self.busy:
            self.busy -= 1
            raise StorageBusy("the database is busy")
        answers = []
        for event in events:
            known = any(event.id == other.id for other in self.events)
            answers.append(Accepted(seen_before=known))
            if known:
                continue
            async with self.said:
                self.events.append(event)
                self.said.notify_all()
            if self.on_event is not None:
                self.on_event(event)
        return answers

    async def wait_for(self, count: int) -> Event:
        """Return the event of this number, once it is there."""
        async with self.said:
            await asyncio.wait_for(self.said.wait_for(lambda: len(self.events) >= count), 10)
        return self.events[count - 1]


async def _nothing(invocation: Invocation) -> Outcome:
    return Outcome()


COMMANDS = (
    Command(name="help", summary="What you can do here", handler=_nothing),
    Command(name="model", summary="Show or choose the model", usage="[NAME|auto]", handler=_nothing),
    Command(name="models", summary="List the models", handler=_nothing),
    Command(name="stop", summary="Stop the answer that is being written", handler=_nothing),
)


@dataclass
class WebPage:
    """Everything a test needs of one running page."""

    url: str
    connection: Connection
    pages: Pages
    admission: Admission
    intake: Intake
    home: Path
    database: SqliteDatabase

    @asynccontextmanager
    async def browser(self, code: str = "") -> AsyncIterator[Browser]:
        """Open a browser without a window; with a code it is signed in."""
        async with aiohttp.ClientSession(self.url, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            browser = Browser(session)
            if code:
                await browser.sign_in(code)
            yield browser

    async def answer(self, event: Event, reply: Reply | str, key: str) -> list[str]:
        """Let the bot say something where the event came from; return the message ids."""
        reply = Reply(text=reply) if isinstance(reply, str) else reply
        return [
            await self.connection.post(event.room, part, key=f"{key}:{number}", anchor="")
            for number, part in enumerate(ADAPTER.render(reply))
        ]

    def part(self, text: str) -> Part:
        return ADAPTER.render(Reply(text=text))[0]


class Browser:
    """Speaks to the page as its script does."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session
        self.csrf = ""
        self.conversation = ""

    async def sign_in(self, code: str) -> None:
        async with self.session.get("/", params={"code": code}, headers={"Accept": "text/html"}) as response:
            self.read(await response.text())

    def read(self, html: str) -> None:
        """Take the word and the conversation from a page."""
        self.csrf = html.split('name="csrf" content="')[1].split('"')[0]
        self.conversation = html.split('data-conversation="')[1].split('"')[0]

    @property
    def headers(self) -> dict[str, str]:
        return {"X-CSRF-Token": self.csrf}

    async def post(self, path: str, body: dict[str, Any], **headers: str) -> tuple[int, dict[str, Any]]:
        sent = {**self.headers, "Content-Type": "application/json", **headers}
        async with self.session.post(path, data=BytesIO(orjson.dumps(body)), headers=sent) as response:
            return response.status, await response.json()

    async def say(self, text: str, *, key: str, files: Sequence[str] = ()) -> tuple[int, dict[str, Any]]:
        return await self.post(f"/chat/{self.conversation}/messages", {"key": key, "text": text, "files": list(files)})

    async def upload(self, name: str, content: bytes, media_type: str) -> tuple[int, dict[str, Any]]:
        headers = {**self.headers, "Content-Type": media_type}
        async with self.session.post("/chat/files", params={"name": name}, data=content, headers=headers) as response:
            return response.status, await response.json()

    @asynccontextmanager
    async def follow(self, *, after: int = 0, last: int | None = None) -> AsyncIterator[Events]:
        """Listen to the conversation; `last` is what a browser that comes back says it saw."""
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        path = f"/chat/{self.conversation}/events"
        async with self.session.get(path, params={"after": after}, headers=headers) as response:
            assert response.status == 200
            yield Events(response)


class Events:
    """The stream of events, one at a time."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def next(self) -> dict[str, str]:
        """Return the next event with its fields."""
        fields: dict[str, str] = {}
        while True:
            line = (await asyncio.wait_for(self._response.content.readline(), 10)).decode()
            if not line:
                raise EOFError
            line = line.rstrip("\n")
            if not line and "event" in fields:
                return fields
            name, _, value = line.partition(": ")
            fields[name] = value

    async def until(self, name: str) -> dict[str, str]:
        while (event := await self.next())["event"] != name:
            pass
        return event


@asynccontextmanager
async def web_page(home: Path, *, clock: Clock | None = None, **options: Any) -> AsyncIterator[WebPage]:
    """Serve the page on a free port."""
    database = SqliteDatabase(home / "page.db", lock=False)
    await database.write(create_tables, None)
    server = WebServer("127.0.0.1", 0)
    pages, admission, intake = Pages(database), Admission(), Intake()
    toolkit = Toolkit(
        environment={},
        options={**ADAPTER.options, **options},
        home=home,
        clock=clock or SystemClock(),
        commands=COMMANDS,
        ports={"web": server, "pages": pages, "admission": admission},
    )
    connection = await ADAPTER.open(toolkit)
    listening = asyncio.create_task(connection.listen(intake))
    await server.start()
    try:
        yield WebPage(
            url=server.url,
            connection=connection,
            pages=pages,
            admission=admission,
            intake=intake,
            home=home,
            database=database,
        )
    finally:
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening
        await connection.close()
        await server.stop()
        await database.close()


def a_room(account: str = "p1", conversation: str = "conversation-0001") -> Room:
    return Room(platform="web", workspace="", chat=account, topic=conversation)
