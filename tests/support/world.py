"""World: the whole path over one database and the paper platform, as one worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from bot import texts
from bot.clock import Clock
from bot.command import Effect, Lane, NewThread, Outcome, Rerun, StopRun
from bot.delivery import Delivery
from bot.events import Author, Event, Kind, Room
from bot.gatekeeper import Entry
from bot.intake import Intake, Path
from bot.lanes import Lanes
from bot.live import LiveRun
from bot.outlets import Outlet
from bot.people import Standing
from bot.ports import Engine
from bot.replies import Reply
from bot.rules import UNHURRIED
from bot.settings import Access
from bot.system_clock import SystemClock
from bot.work import (
    Accept,
    Answer,
    Claim,
    ControlClaim,
    Finish,
    Finished,
    Ingested,
    Judge,
    RunOutcome,
    StepRecord,
    StoredItem,
    Verdict,
)
from storage.claims import Terms
from storage.database import Database
from storage.engine import SqlEngine
from storage.workers import Boot, Workers, new_worker_id
from tests.support.paper import Desk, PaperAdapter, PaperConnection
from tests.support.until import until
from tests.support.watch import Tally

VERSION = "test"


def room(chat: str = "c1", topic: str = "") -> Room:
    return Room(platform="paper", workspace="paperbot", chat=chat, topic=topic)


def an_event(text: str, *, id: str, chat: str = "c1", author: str = "ann", **changes: Any) -> Event:
    """A message as it comes in; `id` makes it unique."""
    event = Event(
        id=f"paper:{id}",
        kind=Kind.MESSAGE,
        room=room(chat),
        author=Author(id=author, name=author.title()),
        received_at=datetime.now(UTC),
        direct=True,
        message_id=f"m{id}",
        text=text,
        mentions_bot=True,
    )
    return replace(event, **changes)


def open_gates(event: Event, standing: Standing) -> Verdict:
    """Let everybody in; `/stop` and `/status` are control words, `/new` is one of the thread."""
    word = event.text.split(" ")[0]
    if word in ("/stop", "/status"):
        return Accept(lane=Lane.CONTROL, command=word[1:])
    if word in ("/new", "/retry"):
        return Accept(command=word[1:])
    return Accept()


@dataclass(slots=True)
class Echo:
    """A runner that answers what was said, in so many steps, and can be held up."""

    engine: Engine
    clock: Clock
    adapter: PaperAdapter
    steps: int = 0
    gate: asyncio.Event | None = None
    held: str = ""
    """The gate holds up only what has this in it."""
    asked: list[str] | None = None

    async def run(self, claim: Claim, live: LiveRun) -> Finished:
        texts = [event.text for event in claim.events]
        if self.asked is not None:
            self.asked.extend(texts)
        own = [item for item in claim.history if item.run_id == claim.run_id]
        users: tuple[StoredItem, ...] = ()
        if not any(item.kind == "user" for item in own):
            users = tuple(StoredItem(kind="user", body={"text": text}) for text in texts)
        done = sum(item.kind == "tool" for item in own)
        for number in range(done, self.steps):
            items = (*users, StoredItem(kind="tool", body={"text": f"step {number}"}))
            await self.engine.commit_step(StepRecord(claim=claim, key=str(number), items=items, now=self.clock.now()))
            users = ()
            live.show(f"at step {number}")
        answer = "answer to " + " + ".join(texts)
        if self.adapter.previews:
            live.show(answer[: len(answer) // 2])
        if self.gate is not None and self.held in answer:
            await _either(self.gate, live)
        outcome = RunOutcome.SUCCESS
        if live.cancelled or claim.cancelled:
            answer, outcome = "stopped: " + " + ".join(texts), RunOutcome.CANCELLED
        return await self.engine.finish(
            Finish(
                claim=claim,
                outcome=outcome,
                parts=self.adapter.render(Reply(text=answer)),
                items=(*users, StoredItem(kind="assistant", body={"text": answer})),
                now=self.clock.now(),
            )
        )


async def _either(gate: asyncio.Event, live: LiveRun) -> None:
    waits = [asyncio.ensure_future(gate.wait()), asyncio.ensure_future(live.wait_cancelled())]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


class _Door:
    """Judges every event as its world says."""

    def __init__(self, world: World) -> None:
        self._world = world

    def ready(self, event: Event) -> Entry:
        return Entry(event=event, judge=self._world.judge, pace=UNHURRIED)

    def settle(self, entry: Entry, done: Ingested | None) -> None:
        return None

    def apology(self, event: Event) -> Verdict:
        return Answer(parts=self._world.adapter.render_text(texts.APOLOGY), because="failed")


class World:
    """One worker: intake, lanes, delivery, over a database and what the platform remembers."""

    def __init__(
        self,
        database: Database,
        desk: Desk,
        *,
        reserves: bool = True,
        request_seconds: float = 2.0,
        attempts: int = 20,
        at_once: int = 50,
        name: str = "test",
        clock: Clock | None = None,
        connection: PaperConnection | None = None,
        between: Callable[[Engine], Engine] = lambda engine: engine,
    ) -> None:
        """Put it together; `between` may stand between the path and its engine."""
        self.database = database
        self.desk = desk
        self.name = name
        self.clock = clock or SystemClock()
        self.adapter = PaperAdapter(desk, reserves=reserves, request_seconds=request_seconds)
        self.connection = connection or PaperConnection(desk)
        self.worker = new_worker_id(name)
        terms = Terms(
            worker=self.worker, version=VERSION, window_items=50, reserving=frozenset({"paper"} if reserves else ())
        )
        self.engine = between(SqlEngine(database, terms, runs_per_claim=5))
        self.watch = Tally()
        outlets = {"paper": Outlet(adapter=self.adapter, connection=self.connection)}
        self.delivery = Delivery(self.engine, outlets, self.clock, self.watch, hours=24.0)
        self.lanes = Lanes(
            self.engine, self.delivery, outlets, self.clock, self.watch, at_once=at_once, attempts=attempts
        )
        self.runner = Echo(self.engine, self.clock, self.adapter)
        self.lanes.staff(self.runner, self.answer)
        self.judge: Judge = open_gates
        path = Path(engine=self.engine, lanes=self.lanes, delivery=self.delivery, clock=self.clock, watch=self.watch)
        self.intake = Intake(path, _Door(self), Access(open=True))
        self._poll: asyncio.Task[None] | None = None

    async def answer(self, name: str, claim: ControlClaim) -> Outcome:
        effect: dict[str, tuple[Effect, ...]] = {"stop": (StopRun(),), "new": (NewThread(),), "retry": (Rerun(),)}
        return Outcome(reply=Reply(text=f"did {claim.event.text[1:]}"), effects=effect.get(name, ()))

    async def start(self) -> None:
        await self.database.migrate()
        lease = None if self.database.exclusive else 30.0
        await Workers(self.database).boot(
            Boot(id=self.worker, name=self.name, version=VERSION, lease_seconds=lease, alone=True)
        )
        self._poll = asyncio.ensure_future(self.lanes.poll())

    async def say(self, *events: Event) -> None:
        await self.intake.deliver(events)

    async def quiet(self, done: Callable[[], bool] | None = None, seconds: float = 20.0) -> None:
        """Wait until nothing is left to do, and `done` holds."""
        await until(lambda: self.lanes.idle and self.delivery.idle and (done is None or done()), seconds)

    async def stop(self) -> None:
        if self._poll is not None:
            self._poll.cancel()
        await self.lanes.drain(5.0)
        await self.delivery.close()
        await Workers(self.database).leave(self.worker)
        await self.database.close()
