"""Workers on PostgreSQL: a broken connection ends neither the heartbeat nor the hints."""

from __future__ import annotations

import asyncio

import asyncpg

from bot.system_clock import SystemClock
from storage.hints import listen
from storage.leases import CHANNEL
from storage.postgres import PostgresDatabase
from storage.workers import Boot, Heartbeat, Workers
from tests.support.postgres import Cluster
from tests.support.until import until

LEASE_SECONDS = 3.0


async def break_all_others(connection: asyncpg.Connection) -> int:
    """Break every other connection to this database; return how many there were."""
    broken = await connection.fetch(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    return len(broken)


async def test_a_heartbeat_goes_on_over_a_new_connection(cluster: Cluster) -> None:
    url = await cluster.fresh()
    database = PostgresDatabase(url)
    await database.migrate()
    await Workers(database).boot(Boot(id="w:1", name="w", version="test", lease_seconds=LEASE_SECONDS, alone=False))
    await database.close()
    lost = asyncio.Event()
    heartbeat = Heartbeat(url, "w:1", LEASE_SECONDS, lost.set)
    connection = await asyncpg.connect(url)
    heartbeat.start()

    async def renewed_after(moment: object) -> object:
        async with asyncio.timeout(LEASE_SECONDS * 2):
            while (until_then := await connection.fetchval("SELECT lease_until FROM worker")) == moment:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        return until_then

    first = await renewed_after(await connection.fetchval("SELECT lease_until FROM worker"))
    assert await break_all_others(connection) == 1
    await renewed_after(first)
    assert not lost.is_set()
    await heartbeat.stop()
    await connection.close()


async def test_hints_come_again_after_a_broken_connection(cluster: Cluster) -> None:
    url = await cluster.fresh()
    told: list[str] = []
    listening = asyncio.ensure_future(listen(url, SystemClock(), told.append))
    await until(lambda: told == ["work"])
    connection = await asyncpg.connect(url)
    assert await break_all_others(connection) == 1
    await until(lambda: told == ["work", "work"])
    await connection.execute(f"NOTIFY {CHANNEL}, 'room:x'")
    await until(lambda: told[-1] == "room:x")
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await connection.close()
