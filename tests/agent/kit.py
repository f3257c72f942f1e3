"""Kit: an agent with a scripted model and a shelf in place of the database, for tests of whole runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from agent import Agent
from agent.call import Caller
from agent.model import Answer, Call, Model, Request
from agent.ports import Place, Ports
from agent.tool import Tool
from bot.adapter import Capabilities
from bot.errors import DeliveryError
from bot.events import Attachment, Author, Event, Kind, Quoted, Room
from bot.people import Person, Role
from bot.replies import OutFile, Part, Reply
from bot.seat import Decision
from bot.settings import Access, AgentSettings, EngineSettings, Limits, Profile, Settings, Web
from bot.work import Claim, Finish, Finished, Intent, StepRecord, StoredItem, Usage

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
ROOM = Room(platform="paper", workspace="bot", chat="c1")
ANN = Person(id=1, name="Ann", role=Role.MEMBER)


class HandClock:
    """A clock that is moved by hand; short sleeps move it by themselves."""

    def __init__(self, *, patience: float = 30.0) -> None:
        self._now = NOON
        self._patience = patience
        self._waiting: list[tuple[datetime, asyncio.Event]] = []

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._now.timestamp()

    async def sleep(self, seconds: float) -> None:
        if seconds <= self._patience:
            self._now += timedelta(seconds=seconds)
            await asyncio.sleep(0)
            return
        woken = asyncio.Event()
        self._waiting.append((self._now + timedelta(seconds=seconds), woken))
        await woken.wait()

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        for due, woken in self._waiting:
            if due <= self._now:
                woken.set()


class Watched:
    """A live message that remembers what it showed."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self._stop = asyncio.Event()
        self.on_show: Callable[[str], None] = lambda text: None

    def show(self, text: str) -> None:
        self.shown.append(text)
        self.on_show(text)

    def cancel(self) -> None:
        self._stop.set()

    @property
    def cancelled(self) -> bool:
        return self._stop.is_set()

    async def wait_cancelled(self) -> None:
        await self._stop.wait()


Answering = Callable[[Request, Callable[[str], None]], Awaitable[Answer]]


class Voice:
    """A model that answers with a function."""

    name = "voice"

    def __init__(self, answer: Answering) -> None:
        self._answer = answer
        self.requests: list[Request] = []

    async def ask(self, request: Request, on_text: Callable[[str], None]) -> Answer:
        self.requests.append(request)
        return await self._answer(request, on_text)

    async def close(self) -> None:
        """Nothing is open."""


def answer(text: str = "", *calls: Call, finish: str = "") -> Answer:
    return Answer(
        text=text,
        calls=calls,
        finish=finish or ("tool_calls" if calls else "stop"),
        usage=Usage(model="voice", tokens_in=10, tokens_out=2, cost_usd=0.01),
    )


def script(*lines: Answer | Exception) -> Voice:
    """A model that gives these answers in order."""
    left = list(lines)

    async def say(request: Request, on_text: Callable[[str], None]) -> Answer:
        line = left.pop(0)
        if isinstance(line, Exception):
            raise line
        for word in line.text.split():
            on_text(word + " ")
        return line

    return Voice(say)


def call(name: str, arguments: str = "{}", *, id: str = "c1") -> Call:
    return Call(id=id, name=name, arguments=arguments)


class Shelf:
    """A thread's store: it keeps what is committed, and gives it back with the next claim."""

    def __init__(self) -> None:
        self.items: list[StoredItem] = []
        self.intents: dict[str, Intent] = {}
        self.records: list[StepRecord] = []
        self.finishes: list[Finish] = []
        self.fence = 0
        self.on_commit: Callable[[StepRecord], None] = lambda record: None

    async def commit_step(self, record: StepRecord) -> None:
        self.on_commit(record)
        assert record.key not in {one.key for one in self.records if one.claim.run_id == record.claim.run_id}
        self.records.append(record)
        self._add(record.claim.run_id, record.items)
        self.intents |= {intent.key: intent for intent in record.intents}
        for key in record.ended:
            del self.intents[key]

    async def finish(self, finish: Finish) -> Finished:
        self.finishes.append(finish)
        self._add(finish.claim.run_id, finish.items)
        return Finished()

    def _add(self, run_id: int, items: Iterable[StoredItem]) -> None:
        self.items.extend(replace(item, run_id=run_id, seq=len(self.items) + n) for n, item in enumerate(items, 1))

    def claim(self, *events: Event, run_id: int = 1, attempt: int = 1, **changes: Any) -> Claim:
        self.fence += 1
        made = Claim(
            thread_id=7,
            fence=self.fence,
            run_id=run_id,
            attempt=attempt,
            first_seq=1,
            last_seq=len(events),
            requester=ANN,
            room=ROOM,
            direct=True,
            title="",
            events=events,
            history=tuple(self.items),
            intents=tuple(self.intents.values()),
        )
        return replace(made, **changes)

    @property
    def decisions(self) -> list[Decision]:
        """Everything that was decided and committed, in order."""
        records = [decision for record in self.records for decision in record.decisions]
        return records + [decision for finish in self.finishes for decision in finish.decisions]

    def decided(self, seat: str) -> list[str]:
        return [decision.outcome for decision in self.decisions if decision.seat == seat]

    @property
    def said(self) -> str:
        """The text of the last answer, as it was rendered."""
        return str(self.finishes[-1].parts[0].body["text"])

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [item.body for item in self.items if item.kind == kind]


class Lender:
    """A platform that hands over files, or errors."""

    def __init__(self, **files: bytes | DeliveryError) -> None:
        self.files: dict[str, list[bytes | DeliveryError]] = {handle: [what] for handle, what in files.items()}
        self.asked: list[str] = []

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        self.asked.append(attachment.handle)
        answers = self.files[attachment.handle]
        what = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(what, DeliveryError):
            raise what
        await asyncio.to_thread(into.write_bytes, what)


@dataclass(slots=True)
class Purse:
    """What was spent."""

    usd: float = 0.0
    asked: list[datetime] = field(default_factory=list)

    async def spent(self, since: datetime) -> float:
        self.asked.append(since)
        return self.usd


@dataclass(slots=True)
class Single:
    """One model under every name."""

    model: Model
    names: list[str] = field(default_factory=list)

    def get(self, name: str) -> Model:
        self.names.append(name)
        return self.model


@dataclass(slots=True)
class Kit:
    """An agent with all that it needs."""

    home: Path
    model: Voice
    shelf: Shelf = field(default_factory=Shelf)
    clock: HandClock = field(default_factory=HandClock)
    live: Watched = field(default_factory=Watched)
    lender: Lender = field(default_factory=Lender)
    purse: Purse = field(default_factory=Purse)
    limits: Limits = field(default_factory=Limits)
    agent_settings: AgentSettings = field(default_factory=lambda: AgentSettings(name="default"))
    profile: Profile = field(default_factory=lambda: Profile(name="voice", provider="scripted", model="voice"))
    capabilities: Capabilities = field(default_factory=lambda: Capabilities(reserves=False))
    tools: Sequence[Tool] = ()
    replies: list[Reply] = field(default_factory=list)

    def agent(self) -> Agent:
        place = Place(capabilities=self.capabilities, render=self._render, fetcher=self.lender)
        return Agent(
            settings=self.settings(),
            ports=Ports(steps=self.shelf, places=lambda room: place, budget=self.purse, clock=self.clock),
            models=Single(self.model),
            caller=Caller(clock=self.clock),
            more_tools=self.tools,
        )

    async def run(self, *events: Event, **claim: Any) -> Finish:
        """Work on a claim to its end."""
        await self.agent().run(self.shelf.claim(*events, **claim), self.live)
        return self.shelf.finishes[-1]

    def settings(self) -> Settings:
        return Settings(
            home=self.home,
            database_url="",
            secret_key="",
            web=Web(),
            access=Access(),
            limits=self.limits,
            engine=EngineSettings(),
            profiles=(self.profile,),
            agents={"default": self.agent_settings},
            adapters={},
            keys={},
        )

    def _render(self, reply: Reply) -> tuple[Part, ...]:
        self.replies.append(reply)
        return (Part(body={"text": reply.text, "files": [file.name for file in reply.files]}),)

    @property
    def files(self) -> tuple[OutFile, ...]:
        return self.replies[-1].files


def event(text: str = "hello", *, id: str = "1", author: str = "Ann", direct: bool = True, **changes: Any) -> Event:
    made = Event(
        id=f"paper:{id}",
        kind=Kind.MESSAGE,
        room=ROOM,
        author=Author(id=author.lower(), name=author),
        received_at=NOON,
        direct=direct,
        message_id=f"m{id}",
        text=text,
    )
    return replace(made, **changes)


def quoted(text: str, author: str = "Bob", *, from_us: bool = False) -> Quoted:
    return Quoted(message_id="m0", author=author, text=text, from_us=from_us)
