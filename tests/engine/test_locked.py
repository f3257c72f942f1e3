"""Locked: the database does not take writes for a while, and no message is lost for it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa
import structlog

from bot.errors import StorageBusy
from bot.events import Event
from storage.postgres import PostgresDatabase, plain_url
from storage.sqlite import SqliteDatabase
from tests.support.locker import hold
from tests.support.paper import Desk
from tests.support.postgres import Cluster
from tests.support.until import until
from tests.support.world import World, an_event, room

LOCKED_SECONDS = 2.0
CHATS = 20

BLOCKED_SECONDS = 0.3
"""The longest that the loop may stand still: 0.1 s of ours, and what a busy machine adds. The fault would be 2 s."""

HERE = room().key


@contextlib.asynccontextmanager
async def gaps() -> AsyncIterator[list[float]]:
    """Measure how long the loop let a ticking task wait."""
    loop = asyncio.get_running_loop()
    found: list[float] = []

    async def tick() -> None:
        before = loop.time()
        for _ in itertools.count():
            await asyncio.sleep(0.01)
            now = loop.time()
            found.append(now - before - 0.01)
            before = now

    task = asyncio.ensure_future(tick())
    yield found
    task.cancel()


async def test_b45_a_second_process_that_holds_the_write_lock_costs_time_and_nothing_else(
    tmp_path: Path, desk: Desk
) -> None:
    world = World(SqliteDatabase(tmp_path / "test.db"), desk)
    await world.start()
    with structlog.testing.capture_logs() as logs:
        async with gaps() as found:
            locker = await hold(tmp_path / "test.db", LOCKED_SECONDS)
            says = (world.say(an_event("hello", id=str(n), chat=f"c{n}")) for n in range(CHATS))
            await asyncio.gather(*says)
            assert await locker.wait() == 0
            await world.quiet()
    assert [desk.texts(room(f"c{n}").key) for n in range(CHATS)] == [["answer to hello"]] * CHATS
    assert "OperationalError" not in str(logs) and not [log for log in logs if log["log_level"] == "error"]
    assert max(found) < BLOCKED_SECONDS
    await world.stop()


def limit(connection: sa.Connection, pages: int) -> int:
    """Let the file grow no larger than so many pages, or than it is; return how many it has."""
    has = int(connection.execute(sa.text("PRAGMA page_count")).scalar_one())
    connection.execute(sa.text(f"PRAGMA max_page_count = {pages or has}"))
    return has


PLENTY = 1_000_000


@pytest.mark.parametrize("together", [1, 5], ids=["alone", "in a group"])
async def test_a_full_disk_acknowledges_nothing_and_loses_nothing(tmp_path: Path, desk: Desk, together: int) -> None:
    world = World(SqliteDatabase(tmp_path / "test.db"), desk)
    await world.start()
    await world.database.write(limit, 0)
    refused = await _until_refused(world, together)
    await world.database.write(limit, PLENTY)
    for event in refused:
        await world.say(event)
    await world.quiet(lambda: all("answer" in text for key in _rooms(desk) for text in desk.texts(key)))
    for event in refused:
        assert desk.texts(event.room.key) == [f"answer to {event.text}"]
    await world.stop()


async def _until_refused(world: World, together: int) -> list[Event]:
    """Send long messages until the file is full; return those that were refused."""
    for turn in range(200):
        events = [
            an_event("x" * 150, id=f"{turn}.{place}", chat=f"c{turn}.{place}", raw_kind="y" * 2000)
            for place in range(together)
        ]
        results = await asyncio.gather(*(world.say(event) for event in events), return_exceptions=True)
        refused = [event for event, result in zip(events, results, strict=True) if isinstance(result, BaseException)]
        assert all(isinstance(result, StorageBusy) for result in results if result is not None), results
        if refused:
            return list(refused)
    raise AssertionError("the file never became full")


def _rooms(desk: Desk) -> set[str]:
    return {sheet.room for sheet in desk.sheets.values()}


async def test_a_lock_timeout_of_postgresql_acknowledges_nothing_and_loses_nothing(
    cluster: Cluster, desk: Desk
) -> None:
    url = await cluster.fresh()
    world = World(PostgresDatabase(url), desk)
    await world.start()
    other = await asyncpg.connect(plain_url(url))
    name = await other.fetchval("SELECT current_database()")
    await other.execute(f"ALTER DATABASE {name} SET lock_timeout = '50ms'")
    # Connections that are open already do not know the new setting.
    await other.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
        "AND datname = current_database()"
    )
    transaction = other.transaction()
    await transaction.start()
    await other.execute("LOCK TABLE inbox IN EXCLUSIVE MODE")
    with pytest.raises(StorageBusy):
        await world.say(an_event("hello", id="1"))
    await transaction.rollback()
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert desk.texts(HERE) == ["answer to hello"]
    await other.close()
    await world.stop()


async def test_connections_that_postgresql_ends_are_opened_again(cluster: Cluster, desk: Desk) -> None:
    """Every connection of the bot is ended again and again while 20 chats ask."""
    url = await cluster.fresh()
    world = World(PostgresDatabase(url), desk)
    await world.start()
    other = await asyncpg.connect(plain_url(url))
    says = asyncio.gather(*(world.say(an_event("hello", id=str(n), chat=f"c{n}")) for n in range(CHATS)))
    for _ in range(5):
        ended = await other.fetchval(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database()"
        )
        assert ended is not None
        await asyncio.sleep(0)
    await says
    await until(lambda: all(desk.texts(room(f"c{n}").key) == ["answer to hello"] for n in range(CHATS)), 40.0)
    await world.quiet()
    await other.close()
    await world.stop()
