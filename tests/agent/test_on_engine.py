"""The agent on the real engine: what it commits is what the next run, and the next try, find."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from agent import Agent, texts
from agent.call import Caller
from agent.models.scripted import ScriptedModel
from agent.ports import Place, Ports
from agent.provider import Supplies
from agent.tool import ToolContext, ToolResult, tool
from bot.errors import StorageBusy, Unreachable
from bot.settings import Profile
from bot.work import StepRecord
from storage.sqlite import SqliteDatabase
from tests.agent.kit import Kit, Purse, Single, script
from tests.support.paper import Desk
from tests.support.world import World, an_event, room

KEYS: list[str] = []


async def deploy(context: ToolContext, what: str = "") -> ToolResult:
    """Deploy it."""
    KEYS.append(context.idem_key)
    return ToolResult(text=f"deployed {what}")


async def wait(context: ToolContext) -> ToolResult:
    """Wait for ever."""
    await asyncio.Event().wait()
    raise AssertionError


class Tripping:
    """The engine, whose database is busy for once when the end of an effect is committed."""

    def __init__(self, world: World) -> None:
        self._engine = world.engine
        self.finish = world.engine.finish
        self.trips = 0

    async def commit_step(self, record: StepRecord) -> None:
        if record.ended and self.trips:
            self.trips -= 1
            raise StorageBusy("the database is busy")
        await self._engine.commit_step(record)


@pytest.fixture
async def world(tmp_path: Path) -> World:
    return World(SqliteDatabase(tmp_path / "test.db"), Desk())


async def staffed(world: World, home: Path) -> Tripping:
    KEYS.clear()
    steps = Tripping(world)
    place = Place(capabilities=world.adapter.capabilities, render=world.adapter.render, fetcher=world.connection)
    profile = Profile(name="scripted", provider="scripted", model="scripted")
    agent = Agent(
        settings=Kit(home=home, model=script()).settings(),
        ports=Ports(steps=steps, places=lambda room: place, budget=Purse(), clock=world.clock),
        models=Single(ScriptedModel(profile, Supplies(clock=world.clock))),
        caller=Caller(clock=world.clock),
        more_tools=[tool(deploy, idempotent=False), tool(wait, idempotent=True)],
    )
    world.lanes.staff(agent, world.answer)
    await world.start()
    return steps


def said(world: World) -> list[str]:
    return world.desk.texts(room().key)


async def test_steps_and_answers_are_found_by_the_next_run(world: World, tmp_path: Path) -> None:
    await staffed(world, tmp_path)
    await world.say(an_event('count #tool calculate {"expression": "6*7"} #tool deploy {"what": "web"}', id="1"))
    await world.quiet(lambda: len(said(world)) == 1)
    assert said(world) == ["answer to count: 42, deployed web"]
    assert len(KEYS) == 1
    await world.say(an_event("and now?", id="2"))
    await world.quiet(lambda: len(said(world)) == 2)
    assert said(world)[1] == "answer to and now?"
    await world.stop()


async def test_a_stop_ends_a_tool_and_says_so(world: World, tmp_path: Path) -> None:
    await staffed(world, tmp_path)
    await world.say(an_event("go #tool wait {}", id="1"))
    await world.say(an_event("/stop", id="2"))
    await world.quiet(lambda: len(said(world)) == 2)
    assert texts.STOPPED in said(world)
    await world.stop()


async def test_an_effect_is_not_repeated_by_the_next_try(world: World, tmp_path: Path) -> None:
    steps = await staffed(world, tmp_path)
    steps.trips = 1
    await world.say(an_event('go #tool deploy {"what": "web"} #tool calculate {"expression": "1"}', id="1"))
    await world.quiet(lambda: bool(said(world)) and said(world)[-1].endswith(", 1"))
    assert len(KEYS) == 1
    assert "".join(said(world)) == f"answer to go: {texts.UNKNOWN_OUTCOME}, 1"
    await world.stop()


async def test_a_retry_answers_what_was_said_before(world: World, tmp_path: Path) -> None:
    await staffed(world, tmp_path)
    await world.say(an_event("hello", id="1"))
    await world.quiet(lambda: len(said(world)) == 1)
    await world.say(an_event("/retry", id="2"))
    await world.quiet(lambda: len(said(world)) == 2)
    assert said(world) == ["answer to hello", "answer to hello"]
    await world.stop()


async def test_k15_a_run_reaches_its_end_though_nothing_of_its_growth_can_be_shown(
    world: World, tmp_path: Path
) -> None:
    await staffed(world, tmp_path)
    final = "answer to hello there"
    world.desk.fault = lambda call, text: (
        Unreachable("paper", "shows nothing that grows") if call == "fill" and text != final else None
    )
    await world.say(an_event("hello there #pace 0.05", id="1"))
    await world.quiet(lambda: said(world) == [final])
    lost = [text for name, _, text in world.desk.calls if name == "fill" and text != final]
    assert lost, "something grew, and could not be shown"
    assert await world.database.read(_record, None) == [("done", "success", 2, True)]
    await world.stop()


def _record(connection: sa.Connection, _: None) -> list[tuple[str, str, int, bool]]:
    """Return of each run its status, its outcome, its items, and whether it has decisions: three records of it."""
    rows = connection.exec_driver_sql(
        "SELECT r.status, r.outcome, (SELECT count(*) FROM item i WHERE i.run_id = r.id),"
        " (SELECT count(*) FROM decision d WHERE d.run_id = r.id) > 0 FROM run r"
    )
    return [(row[0], row[1], row[2], bool(row[3])) for row in rows]
