"""SQLite: one writer thread with group commit, a few reader threads, a file lock instead of leases."""

from __future__ import annotations

import asyncio
import fcntl
import queue
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from bot.errors import StartError, StorageBusy
from bot.failpoint import Killed, reach
from bot.system_clock import ticks
from storage import migrate
from storage.database import Committed, Result, Value, Verb, verb_name
from storage.types import json_dump, json_load

GROUP = 64
"""Writes in one commit at most; a group waits for nobody."""

BUSY_MS = 30_000
_UNWILLING = (sa.exc.OperationalError, sqlite3.OperationalError)
"""Locked, full, unreadable: what a database says when it cannot, whoever speaks to it."""
READERS = 2


@dataclass(slots=True)
class _Write:
    fn: Any
    value: Any
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class SqliteDatabase:
    """A SQLite file. `open` takes the file's lock: the process that holds it is the only one that writes."""

    exclusive = True

    def __init__(self, path: Path, *, lock: bool = True) -> None:
        self._path = path
        self._lock = _take_lock(path) if lock else None
        self._loop = asyncio.get_running_loop()
        self._engine = _engine(path)
        _keep_a_log(self._engine)
        self._writes: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="db-read")
        self._local = threading.local()
        self._opened: list[sa.Connection] = []
        self._dead = False
        self._committed: Committed = lambda seconds, writes: None
        self._writer = threading.Thread(target=self._work, name="db-write", daemon=True)
        self._writer.start()

    def tell(self, committed: Committed) -> None:
        self._committed = committed

    async def migrate(self) -> bool:
        """Bring the schema up to date; say whether anything had to be done."""
        return await asyncio.to_thread(self._migrate)

    def _migrate(self) -> bool:
        with self._engine.begin() as connection:
            return migrate.upgrade(connection)

    async def write(self, fn: Verb[Value, Result], value: Value) -> Result:
        write = _Write(fn, value, self._loop.create_future())
        self._writes.put(write)
        result: Result = await write.future
        return result

    async def read(self, fn: Verb[Value, Result], value: Value) -> Result:
        return await self._loop.run_in_executor(self._readers, self._read, fn, value)

    async def close(self) -> None:
        self._writes.put(None)
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown(wait=True)
        self._let_go()

    def _let_go(self) -> None:
        for connection in self._opened:
            connection.close()
        self._engine.dispose()
        if self._lock is not None:
            self._lock.close()

    def abandon(self) -> None:
        """Let go of the file as a killed process would: nothing more is written, nobody is told. For tests."""
        self._dead = True
        self._writes.put(None)
        self._writer.join()
        self._readers.shutdown(wait=True, cancel_futures=True)
        self._let_go()

    def _read(self, fn: Verb[Value, Result], value: Value) -> Result:
        connection: sa.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = _connect(self._engine)
            self._opened.append(connection)
        try:
            return fn(connection, value)
        except _UNWILLING as error:
            raise _busy(error) from error

    def _work(self) -> None:
        connection = _connect(self._engine)
        try:
            self._write_groups(connection, _raw(connection))
        except Killed:
            self._dead = True
        finally:
            connection.close()

    def _write_groups(self, connection: sa.Connection, raw: sqlite3.Connection) -> None:
        while (first := self._writes.get()) is not None and not self._dead:
            group = [first]
            stop = False
            while len(group) < GROUP:
                try:
                    more = self._writes.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    stop = True
                    break
                group.append(more)
            began = ticks()
            _commit(connection, raw, group)
            self._committed(ticks() - began, len(group))
            self._loop.call_soon_threadsafe(_resolve, group)
            if stop:
                break


def _commit(connection: sa.Connection, raw: sqlite3.Connection, group: list[_Write]) -> None:
    """Run a group in one transaction, a savepoint each, so that one failure costs nobody else anything."""
    try:
        raw.execute("BEGIN IMMEDIATE")
        for write in group:
            _run(connection, raw, write, alone=len(group) == 1)
        for write in group:
            reach(f"{verb_name(write.fn)}.before")
        raw.execute("COMMIT")
    except sqlite3.Error as error:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
        for write in group:
            # A full disk ends the whole transaction by itself; whoever met it knows the cause.
            write.error = write.error or _busy(error)
        return
    except BaseException:
        # A failpoint: what is in the transaction is lost, as if the process had died here.
        if raw.in_transaction:
            raw.execute("ROLLBACK")
        raise
    for write in group:
        reach(f"{verb_name(write.fn)}.after")


def _run(connection: sa.Connection, raw: sqlite3.Connection, write: _Write, *, alone: bool) -> None:
    if not alone:
        raw.execute("SAVEPOINT one")
    with _Handover(write):
        write.result = write.fn(connection, write.value)
    if write.error is not None:
        raw.execute("ROLLBACK" if alone else "ROLLBACK TO one")
        if alone:
            raw.execute("BEGIN")
    if not alone:
        raw.execute("RELEASE one")


class _Handover:
    """Hand an error of the block to whoever waits for the write, in their own task."""

    def __init__(self, write: _Write) -> None:
        self._write = write

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        self._write.error = _busy(error) if isinstance(error, _UNWILLING) else error
        return True


def _resolve(group: list[_Write]) -> None:
    for write in group:
        if write.future.done():
            continue
        if write.error is not None:
            write.future.set_exception(write.error)
        else:
            write.future.set_result(write.result)


def _busy(error: BaseException) -> StorageBusy:
    cause = getattr(error, "orig", error)
    return StorageBusy(f"the database did not take the write: {cause}; nothing was written, it will be tried again")


def _engine(path: Path) -> sa.Engine:
    return sa.create_engine(
        f"sqlite:///{path}",
        poolclass=NullPool,
        connect_args={"check_same_thread": False, "timeout": BUSY_MS / 1000},
        json_serializer=json_dump,
        json_deserializer=json_load,
        # An error is logged, and what people wrote is nobody's business there.
        hide_parameters=True,
    )


def _keep_a_log(engine: sa.Engine) -> None:
    """Switch the file to write-ahead logging, which stays with it; needs the file for itself for a moment."""
    connection = _connect(engine)
    _raw(connection).execute("PRAGMA journal_mode=WAL").fetchall()
    connection.close()


def _connect(engine: sa.Engine) -> sa.Connection:
    """Open a connection on which we say BEGIN and COMMIT ourselves."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    raw = _raw(connection)
    for pragma in (f"busy_timeout={BUSY_MS}", "synchronous=FULL", "foreign_keys=OFF"):
        raw.execute(f"PRAGMA {pragma}").fetchall()
    return connection


def _raw(connection: sa.Connection) -> sqlite3.Connection:
    """Return the driver's own connection, for the statements that frame transactions."""
    raw: Any = connection.connection.dbapi_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def _take_lock(path: Path) -> Any:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = path.with_name(path.name + ".lock").open("a")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        raise StartError(
            f"another process works on {path}; stop it first, or set DATABASE_URL to PostgreSQL to run several"
        ) from None
    return handle
