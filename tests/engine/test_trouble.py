"""What goes wrong on our own side: nothing waits for ever, nothing is left unsaid."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from bot import texts
from bot.errors import StorageBusy, Unreachable
from bot.events import Kind
from bot.live import LiveRun
from bot.ports import Engine
from bot.replies import Part
from bot.work import Accept, Amend, Claim, Finished
from storage import outbox
from storage.upkeep import SqlUpkeep
from tests.engine.conftest import Opener
from tests.support.hand_clock import HandClock
from tests.support.paper import PLACEHOLDER, Desk
from tests.support.until import until
from tests.support.world import Echo, World, an_event, room

HERE = room().key


class Broken(Echo):
    """A runner with a fault of ours in it, once it was told so."""

    broken = False

    async def run(self, claim: Claim, live: LiveRun) -> Finished:
        if self.broken:
            raise RuntimeError("a fault of ours")
        return await super().run(claim, live)


async def test_a_retry_that_fails_says_so_where_its_answer_was_reserved(world: World) -> None:
    runner = Broken(world.engine, world.clock, world.adapter)
    world.lanes.staff(runner, world.answer)
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    runner.broken = True
    await world.say(an_event("/retry", id="2"))
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to hello", texts.APOLOGY]


class Failing:
    """Stands before an engine and fails a verb as often as it was told to."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._errors: dict[str, list[Exception]] = {}

    def fail(self, verb: str, *errors: Exception) -> None:
        """Fail a verb; of `claim_rooms` only a sender's, not that of the poll."""
        self._errors[verb] = list(errors)

    def failed(self, verb: str) -> bool:
        return not self._errors.get(verb)

    def __getattr__(self, verb: str) -> Any:
        async def call(*args: Any, **kwargs: Any) -> Any:
            if (errors := self._errors.get(verb)) and not (verb == "claim_rooms" and args[0] is None):
                raise errors.pop(0)
            return await getattr(self._engine, verb)(*args, **kwargs)

        return call


@pytest.fixture
async def failing(opener: Opener, desk: Desk) -> AsyncIterator[tuple[World, Failing]]:
    """A world whose engine can fail."""
    engines: list[Failing] = []

    def between(engine: Engine) -> Any:
        engines.append(Failing(engine))
        return engines[0]

    world = World(opener(), desk, between=between)
    await world.start()
    yield world, engines[0]
    await world.stop()


async def test_a_run_whose_end_could_not_be_stored_is_worked_on_again(failing: tuple[World, Failing]) -> None:
    """Twice: the answer, and the apology for it."""
    world, engine = failing
    engine.fail("finish", RuntimeError("no"), RuntimeError("no"))
    await world.say(an_event("hello", id="1"))
    await world.quiet(lambda: world.desk.texts(HERE) == ["answer to hello"])


async def test_a_room_is_not_forgotten_when_the_database_was_busy(failing: tuple[World, Failing]) -> None:
    """A sender that stands still holds its room: nobody else would take it."""
    world, engine = failing
    world.adapter.previews = False
    world.runner.gate = asyncio.Event()
    await world.say(an_event("hello", id="1"))
    await until(lambda: world.desk.texts(HERE) == [PLACEHOLDER])
    engine.fail("claim_rooms", StorageBusy("full"))
    world.delivery.look(HERE)
    await until(lambda: engine.failed("claim_rooms"))
    # What another worker left here is told by nobody but the database.
    parts = world.adapter.render_text("left by another")
    await world.database.write(_leave, parts)
    await until(lambda: "left by another" in world.desk.texts(HERE))
    world.runner.gate.set()
    await world.quiet()


def _leave(connection: sa.Connection, parts: tuple[Part, ...]) -> None:
    outbox.add_parts(connection, parts, outbox.Say(key="other", room_key=HERE, anchor="", now=datetime.now(UTC)))


async def test_b59_an_edit_of_a_message_whose_payload_was_forgotten_is_no_fault(world: World) -> None:
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    await SqlUpkeep(world.database).prune(datetime.now(UTC) + timedelta(days=1))
    world.judge = lambda event, standing: Amend(text=event.text)
    await world.say(an_event("hallo", id="9", kind=Kind.EDIT, message_id="m1"))
    assert world.watch.counts["received.failed"] == 0


async def test_a_worker_that_only_waits_ends_at_once(opener: Opener, desk: Desk) -> None:
    clock = HandClock()
    world = World(opener(), desk, clock=clock)
    await world.start()
    world.judge = lambda event, standing: Accept(not_before=clock.now() + timedelta(seconds=60))
    await world.say(an_event("hello", id="1"))
    async with asyncio.timeout(2.0):
        await world.lanes.drain(30.0)
    await world.stop()


async def test_an_answer_outlasts_a_platform_that_is_away_for_long(opener: Opener, desk: Desk) -> None:
    clock = HandClock()
    world = World(opener(), desk, clock=clock)
    world.adapter.previews = False
    await world.start()
    desk.fault = lambda call, text: Unreachable("paper", "is away")
    await world.say(an_event("hello", id="1"))

    def tried(times: int) -> bool:
        clock.move(20.0)
        return len(desk.calls) >= times

    await until(lambda: tried(20))
    desk.fault = lambda call, text: None
    await until(lambda: tried(20) and desk.texts(HERE) == ["answer to hello"])
    await world.quiet()
    assert desk.texts(HERE) == ["answer to hello"]
    await world.stop()
