"""PostgreSQL: the same verbs through asyncpg; deadlocks and lost connections are tried again."""

from __future__ import annotations

import asyncio
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from bot.errors import StorageBusy
from bot.failpoint import reach
from bot.system_clock import ticks
from storage import migrate
from storage.database import Committed, Result, Value, Verb, verb_name
from storage.types import json_dump, json_load

POOL = 16
TRIES = 6
FIRST_WAIT_SECONDS = 0.05

_TRANSIENT = ("40001", "40P01", "57P01", "57P03", "08")
"""Serialization failure, deadlock, shutdown, starting up, connection trouble (SQLSTATE prefixes)."""


class PostgresDatabase:
    """A PostgreSQL database that several processes may share."""

    exclusive = False

    def __init__(self, url: str) -> None:
        self._committed: Committed = lambda seconds, writes: None
        self._engine = create_async_engine(
            async_url(url),
            pool_size=POOL,
            max_overflow=0,
            pool_timeout=30,
            json_serializer=json_dump,
            json_deserializer=json_load,
        )

    def tell(self, committed: Committed) -> None:
        self._committed = committed

    async def migrate(self) -> bool:
        """Bring the schema up to date; say whether anything had to be done."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(migrate.upgrade)

    async def write(self, fn: Verb[Value, Result], value: Value) -> Result:
        name = verb_name(fn)
        for attempt in range(TRIES):
            try:
                return await self._once(name, fn, value)
            except (sa.exc.DBAPIError, OSError) as error:
                if not _transient(error):
                    raise
                if attempt == TRIES - 1:
                    raise StorageBusy(
                        f"the database did not take the write: {error}; it will be tried again"
                    ) from error
                await asyncio.sleep(FIRST_WAIT_SECONDS * 2**attempt)
        raise AssertionError("the last try returns or raises")

    async def _once(self, name: str, fn: Verb[Value, Result], value: Value) -> Result:
        began = ticks()
        async with self._engine.connect() as connection:
            transaction = await connection.begin()
            try:
                result: Result = await connection.run_sync(fn, value)
                reach(f"{name}.before")
            except BaseException:
                await transaction.rollback()
                raise
            await transaction.commit()
        self._committed(ticks() - began, 1)
        reach(f"{name}.after")
        return result

    async def read(self, fn: Verb[Value, Result], value: Value) -> Result:
        try:
            async with self._engine.connect() as connection:
                result: Result = await connection.run_sync(fn, value)
                return result
        except (sa.exc.DBAPIError, OSError) as error:
            if not _transient(error):
                raise
            raise StorageBusy(f"the database does not answer: {error}") from error

    async def close(self) -> None:
        await self._engine.dispose()


def async_url(url: str) -> str:
    """Return the URL with the driver that we use."""
    _, _, rest = url.partition("://")
    return f"postgresql+asyncpg://{rest}"


def plain_url(url: str) -> str:
    """Return the URL as asyncpg itself takes it."""
    _, _, rest = url.partition("://")
    return f"postgresql://{rest}"


def _transient(error: Any) -> bool:
    if isinstance(error, OSError):
        return True
    if error.connection_invalidated or isinstance(error, sa.exc.InterfaceError):
        return True
    state = str(getattr(error.orig, "sqlstate", "") or "")
    return state.startswith(_TRANSIENT)
