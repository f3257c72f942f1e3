"""Zombie: a worker that everybody took for dead wakes up, and what it still does is refused or repaired."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest
import sqlalchemy as sa

from adapters.telegram.simulator import TelegramSimulator
from bot.console._texts import LOST
from bot.errors import Fenced
from bot.people import Role
from bot.replies import Part
from bot.work import (
    Arrival,
    Claim,
    ControlFinish,
    Delivered,
    Finish,
    Ingested,
    Mark,
    RunOutcome,
    StepRecord,
)
from storage.database import Database
from storage.postgres import PostgresDatabase, plain_url
from storage.tables import WORKER
from storage.workers import Boot, Heartbeat, Workers
from tests.support.crash import bury, waiting
from tests.support.crowd import Crowd
from tests.support.labour import Labour, Ledger
from tests.support.lateness import LateConnection
from tests.support.paper import Desk
from tests.support.postgres import Cluster
from tests.support.process import Process, Site
from tests.support.script import Piece
from tests.support.until import until
from tests.support.verdict import check_room, check_steps, stored
from tests.support.world import World, an_event, open_gates, room

HERE = room().key


@pytest.fixture
async def url(cluster: Cluster) -> str:
    return await cluster.fresh()


def expire(connection: sa.Connection, worker: str) -> None:
    """Let a worker's lease run out."""
    connection.execute(
        sa.update(WORKER).where(WORKER.c.id == worker).values(lease_until=sa.func.now() - timedelta(seconds=1))
    )


# --- fences ----------------------------------------------------------------------------------------------


async def test_k19_every_late_write_is_fenced(url: str, desk: Desk) -> None:
    """A worker claims a run, a room and a control word; its lease runs out and another one takes all of them."""
    dead, heir = World(PostgresDatabase(url), desk, name="dead"), World(PostgresDatabase(url), desk, name="heir")
    for world in (dead, heir):
        await world.database.migrate()
        await Workers(world.database).boot(
            Boot(id=world.worker, name=world.name, version="test", lease_seconds=30.0, alone=True)
        )
    asked = await dead.engine.ingest(_arrival("hello", id="1"))
    word = await dead.engine.ingest(_arrival("/status", id="2"))
    assert asked.claim is not None and asked.claim.room_lease is not None and asked.claim.row is not None
    await dead.database.write(expire, dead.worker)
    (claim,) = await heir.engine.claim(5, datetime.now(UTC))
    assert claim.run_id == asked.claim.run_id and claim.attempt == 2
    assert len(await heir.engine.claim_control(None, datetime.now(UTC))) == 1
    for write in _late_writes(dead, asked.claim, word):
        with pytest.raises(Fenced):
            await write()
    assert not await dead.engine.still_ours(asked.claim.room_lease)
    for world in (dead, heir):
        await world.database.close()


def _arrival(text: str, *, id: str) -> Arrival:
    return Arrival(
        event=an_event(text, id=id),
        judge=open_gates,
        may_claim=True,
        now=datetime.now(UTC),
        admit_as=int(Role.MEMBER),
    )


def _late_writes(world: World, claim: Claim, word: Ingested) -> list[Callable[[], Awaitable[object]]]:
    """Everything that a worker commits about what it holds."""
    engine, now = world.engine, datetime.now(UTC)
    parts = (Part(body={"text": "late"}),)
    assert claim.room_lease is not None and claim.row is not None and word.control is not None
    mark = Mark(row_id=claim.row.id, status="sent", message_id="7")
    step = StepRecord(claim=claim, key="0", now=now)
    end = Finish(claim=claim, outcome=RunOutcome.SUCCESS, parts=parts, now=now)
    sent = Delivered(lease=claim.room_lease, marks=(mark,), now=now)
    done = Delivered(lease=claim.room_lease, marks=(mark,), release=True, now=now)
    said = ControlFinish(claim=word.control, parts=parts, now=now)
    return [
        lambda: engine.commit_step(step),
        lambda: engine.finish(end),
        lambda: engine.give_back(claim, counted=True, now=now),
        lambda: engine.rerun(claim, now),
        lambda: engine.delivered(sent),
        lambda: engine.delivered(done),
        lambda: engine.finish_control(said),
    ]


async def test_a_late_preview_of_a_dead_worker_does_not_stand_last(opener: Callable[[], Database], desk: Desk) -> None:
    line = LateConnection(desk)
    dead = World(opener(), desk, connection=line)
    dead.runner.gate = asyncio.Event()
    await dead.start()
    await dead.say(an_event("hello", id="1"))
    await until(lambda: bool(line.under_way))
    await bury(dead)
    heir = World(opener(), desk, request_seconds=0.3)
    await heir.start()
    await until(lambda: desk.texts(HERE) == ["answer to hello"])
    line.arrive()
    assert desk.texts(HERE) != ["answer to hello"]
    await heir.quiet()
    assert desk.texts(HERE) == ["answer to hello"]
    await heir.stop()


# --- processes -------------------------------------------------------------------------------------------


async def test_a_process_that_was_stopped_past_its_lease_changes_nothing_and_begins_anew(
    shared_site: Site, simulator: TelegramSimulator
) -> None:
    crowd = Crowd(simulator)
    zombie, heir = Process(site=shared_site, name="zombie"), Process(site=shared_site, name="heir")
    zombie.start()
    await zombie.listens()
    heir.start()
    await heir.ready()
    talk = crowd.ask_slowly(pace=0.25)
    crowd.ask()
    await until(lambda: any("word3" in text for text in talk.shown))
    zombie.send(signal.SIGSTOP)
    await crowd.answered()
    zombie.send(signal.SIGCONT)
    await until(lambda: LOST in zombie.log_path.read_text(), 30.0)
    crowd.check(deaths=1)
    runs = await _runs(shared_site.database_url)
    assert all(run["status"] == "done" and run["answers"] == 1 for run in runs), runs
    assert max(run["attempt"] for run in runs) == 2
    await heir.kill()
    crowd.ask_many(3)
    await crowd.answered()
    await zombie.stop()
    crowd.check(deaths=2)


async def _runs(url: str) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(plain_url(url))
    try:
        rows: list[asyncpg.Record] = await connection.fetch(
            "SELECT run.id, status, attempt, command, (SELECT count(*) FROM item WHERE item.run_id = run.id "
            "AND item.kind = 'assistant' AND NOT item.dropped AND item.body::text LIKE '%answer to%') AS answers "
            "FROM run"
        )
        return rows
    finally:
        await connection.close()


async def test_postgresql_crashes_in_the_midst_of_work(
    shared_site: Site, simulator: TelegramSimulator, cluster: Cluster
) -> None:
    crowd = Crowd(simulator)
    processes = [Process(site=shared_site, name=name) for name in ("one", "two")]
    for process in processes:
        process.start()
        await process.ready()
    talk = crowd.ask_slowly()
    crowd.ask_many(20)
    await until(lambda: bool(talk.shown))
    await asyncio.to_thread(cluster.crash)
    crowd.ask_many(20)
    await crowd.answered()
    for process in processes:
        assert process.alive
        await process.stop()
    crowd.check(deaths=2)


# --- a loop that stands still -------------------------------------------------------------------------------


async def test_a_loop_that_stands_still_longer_than_the_lease_loses_it(url: str, desk: Desk) -> None:
    """The heartbeat has a thread of its own, and yet it must not keep a worker alive whose loop is dead."""
    seconds = 0.6
    world = World(PostgresDatabase(url), desk)
    await world.database.migrate()
    workers = Workers(world.database)
    await workers.boot(Boot(id=world.worker, name="test", version="test", lease_seconds=seconds, alone=True))
    lost = asyncio.Event()
    heartbeat = Heartbeat(plain_url(url), world.worker, seconds, lost.set)
    heartbeat.start()
    for _ in range(4):
        # Longer than one lease: the beat keeps it.
        await asyncio.sleep(seconds / 3)
        assert await workers.living() == 1 and not lost.is_set()
    time.sleep(seconds * 2.5)  # noqa: ASYNC251  (the stall itself)
    assert await workers.living() == 0
    await asyncio.wait_for(lost.wait(), 5.0)
    await heartbeat.stop()
    await world.database.close()


# --- shares -----------------------------------------------------------------------------------------------


async def test_two_workers_share_200_messages_fairly(url: str, desk: Desk) -> None:
    """40 rooms with five messages each, of two people in turn, so that each is a run of its own."""
    ledger, done = Ledger(), Counter[str]()
    rooms = [_talk(number) for number in range(40)]
    feeder = _worker(url, desk, ledger, done, name="feeder", at_once=0)
    await feeder.start()
    await asyncio.gather(*(feeder.say(*batch) for piece in rooms for batch in piece.batches))
    await feeder.stop()
    workers = [_worker(url, desk, ledger, done, name=name, at_once=10) for name in ("one", "two")]
    for worker in workers:
        await worker.start()
    async with asyncio.timeout(60):
        while await workers[0].database.read(waiting, None):
            for worker in workers:
                worker.lanes.wake()
            await asyncio.sleep(0.02)
    known = await workers[0].database.read(stored, [room(piece.chat).key for piece in rooms])
    for piece in rooms:
        check_room([piece], desk, known, strays=0)
    check_steps(known, ledger, repeats=0)
    assert sum(done.values()) == 200 and min(done["one"], done["two"]) >= 50, done
    for worker in workers:
        await worker.stop()


def _talk(number: int) -> Piece:
    chat = f"share{number}"
    events = (
        an_event(f"tools [{chat}.{turn}]", id=f"{chat}.{turn}", chat=chat, author="ann" if turn % 2 else "bob")
        for turn in range(5)
    )
    return Piece(kind="share", chat=chat, batches=(tuple(events),))


def _worker(url: str, desk: Desk, ledger: Ledger, done: Counter[str], *, name: str, at_once: int) -> World:
    world = World(PostgresDatabase(url), desk, name=name, at_once=at_once)
    labour = Labour(world.engine, world.clock, world.adapter, ledger, finished=lambda: done.update([name]))
    world.lanes.staff(labour, world.answer)
    return world
