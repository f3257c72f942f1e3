"""Races: two transactions of PostgreSQL meet at one row. On SQLite one writer makes them impossible."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest
import sqlalchemy as sa

from bot.events import Room
from bot.replies import Part
from storage.postgres import PostgresDatabase, plain_url
from storage.tables import RUN
from tests.support.paper import Desk, PaperConnection
from tests.support.postgres import Cluster
from tests.support.until import until
from tests.support.world import World, an_event, room

HERE = room().key

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@pytest.fixture
async def url(cluster: Cluster) -> str:
    return await cluster.fresh()


class HeldConnection(PaperConnection):
    """Holds every edit up until it may happen."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.asked = asyncio.Event()
        self.allowed = asyncio.Event()
        self.allowed.set()

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        self.asked.set()
        await self.allowed.wait()
        await super().fill(room, message_id, part)


@pytest.fixture
def line(desk: Desk) -> HeldConnection:
    return HeldConnection(desk)


@pytest.fixture
async def pair(url: str, desk: Desk, line: HeldConnection) -> AsyncIterator[tuple[World, asyncpg.Connection]]:
    """A worker, and a connection that stands for the transaction of another one."""
    world = World(PostgresDatabase(url), desk, connection=line)
    world.adapter.previews = False
    await world.start()
    other = await asyncpg.connect(plain_url(url))
    yield world, other
    await other.close()
    await world.stop()


async def waits_for_a_lock(connection: asyncpg.Connection) -> None:
    """Wait until another connection waits for a row that this one holds."""
    async with asyncio.timeout(10):
        while not await connection.fetchval(WAITING):  # noqa: ASYNC110  (only the server knows)
            await asyncio.sleep(0.005)


def threads(connection: sa.Connection, _: None) -> list[int]:
    return list(connection.execute(sa.select(RUN.c.thread_id).order_by(RUN.c.id)).scalars())


async def test_a_message_that_meets_the_commit_of_new_goes_to_the_new_thread(
    pair: tuple[World, asyncpg.Connection], desk: Desk
) -> None:
    world, other = pair
    await world.say(an_event("before", id="1"))
    await world.quiet()
    (old,) = await world.database.read(threads, None)
    transaction = other.transaction()
    await transaction.start()
    await other.execute("SELECT 1 FROM thread WHERE id = $1 FOR UPDATE", old)
    said = asyncio.ensure_future(world.say(an_event("behind", id="2")))
    await waits_for_a_lock(other)
    new = await other.fetchval(
        "INSERT INTO thread (next_seq, next_item, pending, fence, ready_at, model_pin, agent) "
        "VALUES (7, 0, 0, 0, now(), '', '') RETURNING id"
    )
    await other.execute("UPDATE topic SET thread_id = $1 WHERE thread_id = $2", new, old)
    await transaction.commit()
    await said
    await until(lambda: desk.texts(HERE) == ["answer to before", "answer to behind"])
    assert await world.database.read(threads, None) == [old, new]


async def test_a_room_that_gets_one_more_row_while_it_is_let_go_is_kept(
    pair: tuple[World, asyncpg.Connection], desk: Desk, line: HeldConnection
) -> None:
    world, other = pair
    line.allowed.clear()
    await world.say(an_event("first", id="1"))
    await line.asked.wait()
    transaction = other.transaction()
    await transaction.start()
    await other.execute("SELECT 1 FROM room WHERE key = $1 FOR UPDATE", HERE)
    line.allowed.set()
    await waits_for_a_lock(other)
    body = '{"kind": "text", "body": {"text": "one more"}}'
    await other.execute(
        "INSERT INTO outbox (idem_key, room_key, kind, anchor, body, status, attempt, platform_message_id, created_at, "
        "error) VALUES ('extra', $1, 'part', '', $2, 'pending', 0, '', now(), '')",
        HERE,
        body,
    )
    await transaction.commit()
    await until(lambda: desk.texts(HERE) == ["answer to first", "one more"])
    await world.quiet()
    # Nobody else could have taken it in between: its fence is the first one.
    assert await other.fetchval("SELECT fence FROM room WHERE key = $1", HERE) == 1
