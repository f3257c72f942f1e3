"""Hints: PostgreSQL tells us of work that others left. Losing one costs a poll's time, never work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import structlog

from bot.clock import Clock
from storage.leases import CHANNEL

log = structlog.get_logger("hints")

RETRY_SECONDS = 2.0


async def listen(url: str, clock: Clock, told: Callable[[str], None]) -> None:
    """Call `told` with each hint until cancelled; a lost connection is opened again."""
    import asyncpg  # only where PostgreSQL is used

    while True:
        try:
            connection: Any = await asyncpg.connect(url)
            try:
                await _until_closed(connection, told)
            finally:
                connection.terminate()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            log.warning("hints_unreachable", because=str(error))
            await clock.sleep(RETRY_SECONDS)


async def _until_closed(connection: Any, told: Callable[[str], None]) -> None:
    closed = asyncio.Event()
    connection.add_termination_listener(lambda _connection: closed.set())
    await connection.add_listener(CHANNEL, lambda _connection, _pid, _channel, what: told(what))
    told("work")
    await closed.wait()
