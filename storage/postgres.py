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
MOST_WAIT_SECONDS = 2.0

# https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
_XID = sa.text("SELECT CAST(pg_current_xact_id_if_assigned() AS text)")
_STATUS = sa.text("SELECT pg_xact_status(CAST(CAST(:xid AS text) AS xid8))")

_TRANSIENT = ("40001", "40P01", "55P03", "57", "08", "53", "58", "25006")
"""Serialization failure, deadlock, a lock or a statement that took too long, shutdown and start, connection trouble,
a full disk or too many connections, a failing disk, a server that only reads (SQLSTATE prefixes)."""

_LOST = (sa.exc.DBAPIError, sa.exc.TimeoutError, OSError)
"""What speaks of the server rather than of the statement, or may do so; the second: no connection came free."""


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
            # An error is logged, and what people wrote is nobody's business there.
            hide_parameters=True,
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
            except _LOST as error:
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
                xid = await connection.scalar(_XID)
            except BaseException:
                await transaction.rollback()
                raise
            try:
                await transaction.commit()
            except _LOST as error:
                if not _transient(error) or xid is None or not await self._happened(xid):
                    raise
        self._committed(ticks() - began, 1)
        reach(f"{name}.after")
        return result

    async def _happened(self, xid: str) -> bool:
        """Say whether a commit whose answer was lost took place; asks until the server says: nobody else knows."""
        wait = FIRST_WAIT_SECONDS
        while True:
            try:
                async with self._engine.connect() as connection:
                    status = await connection.scalar(_STATUS, {"xid": xid})
            except _LOST as error:
                if not _transient(error):
                    raise
                status = "in progress"
            if status != "in progress":
                return bool(status == "committed")
            await asyncio.sleep(wait)
            wait = min(wait * 2, MOST_WAIT_SECONDS)

    async def read(self, fn: Verb[Value, Result], value: Value) -> Result:
        try:
            async with self._engine.connect() as connection:
                result: Result = await connection.run_sync(fn, value)
                return result
        except _LOST as error:
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
    if isinstance(error, OSError | sa.exc.TimeoutError):
        return True
    if error.connection_invalidated or isinstance(error, sa.exc.InterfaceError):
        return True
    state = str(getattr(error.orig, "sqlstate", "") or "")
    return state.startswith(_TRANSIENT)
