"""Workers: who is alive. On SQLite the file lock says it, on PostgreSQL a lease by the database's clock."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from bot.failpoint import reach
from storage.database import Database
from storage.leases import free
from storage.prepared import Prepared
from storage.tables import LISTENER, THREAD, WORKER

_b = sa.bindparam


@dataclass(frozen=True, kw_only=True, slots=True)
class Boot:
    """A worker that starts."""

    id: str
    name: str
    version: str
    lease_seconds: float | None
    """None: a file lock is the lease, and whoever is in the table is dead."""
    alone: bool
    """Nobody else of this name can be alive: what is left of it is dead."""


def _until(seconds: float) -> Any:
    return sa.func.now() + sa.literal(timedelta(seconds=seconds), sa.Interval())


def boot(connection: sa.Connection, value: Boot) -> None:
    """Enter the worker, and bury the dead."""
    if value.lease_seconds is None:
        connection.execute(sa.delete(WORKER))
    else:
        # Who is no more in the table is as dead as who is in it with a lease that ran out.
        dead = WORKER.c.lease_until < sa.func.now()
        connection.execute(sa.delete(WORKER).where(sa.or_(dead, WORKER.c.name == value.name) if value.alone else dead))
    until = None if value.lease_seconds is None else _until(value.lease_seconds)
    connection.execute(
        sa.insert(WORKER).values(id=value.id, name=value.name, lease_until=until, draining=False, version=value.version)
    )


def leave(connection: sa.Connection, worker: str) -> None:
    """Let go of everything and strike the worker off, so that others go on at once."""
    connection.execute(sa.update(THREAD).where(THREAD.c.owner == worker).values(owner=None))
    connection.execute(sa.delete(WORKER).where(WORKER.c.id == worker))


def living(connection: sa.Connection, _: None) -> int:
    """Return how many workers are alive."""
    count = sa.select(sa.func.count()).select_from(WORKER)
    return int(
        connection.execute(
            count.where(sa.or_(WORKER.c.lease_until.is_(None), WORKER.c.lease_until > sa.func.now()))
        ).scalar_one()
    )


def new_worker_id(name: str) -> str:
    """Return an id that no process ever had."""
    return f"{name}:{uuid.uuid4().hex[:12]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Listen:
    """A worker wants to be the one that listens."""

    worker: str
    platform: str
    account: str


_TAKE_LISTENER = Prepared(
    lambda insert: (
        insert(LISTENER)
        .values(platform=_b("p"), account=_b("a"), owner=_b("w"), fence=1)
        .on_conflict_do_update(
            index_elements=[LISTENER.c.platform, LISTENER.c.account],
            set_={
                "owner": sa.case((free(LISTENER), _b("w")), else_=LISTENER.c.owner),
                "fence": sa.case((free(LISTENER), LISTENER.c.fence + 1), else_=LISTENER.c.fence),
            },
        )
        .returning(LISTENER.c.owner)
    )
)


def take_listener(connection: sa.Connection, value: Listen) -> bool:
    """Become the one that listens to an account; False while another living worker does."""
    owner = _TAKE_LISTENER.scalar(connection, {"p": value.platform, "a": value.account, "w": value.worker})
    return bool(owner == value.worker)


class Heartbeat:
    """Renews a worker's lease on a thread, a loop and a connection of its own.

    It beats only if the main loop answered a ping, so that a dead loop does not look alive, and calls `lost` in the
    main loop once the lease could not be renewed for two thirds of its time.
    """

    def __init__(self, url: str, worker: str, seconds: float, lost: Callable[[], None]) -> None:
        self._url = url
        self._worker = worker
        self._seconds = seconds
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._ponged = threading.Event()
        self._thread = threading.Thread(target=self._main, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    async def stop(self) -> None:
        self._stop.set()
        await asyncio.to_thread(self._thread.join)

    def _main(self) -> None:
        asyncio.run(self._beat())

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        renewed = loop.time()
        told = False
        connection: Any = None
        while not self._stop.is_set():
            try:
                if connection is None:
                    connection = await self._connect()
                if await asyncio.to_thread(self._loop_answers) and await self._renew(connection):
                    renewed, told = loop.time(), False
            except _broken():
                if connection is not None:
                    connection.terminate()
                connection = None
            if not told and loop.time() - renewed > self._seconds * 2 / 3:
                told = True
                self._loop.call_soon_threadsafe(self._lost)
            # A broken connection costs a moment, not a beat.
            await asyncio.to_thread(self._stop.wait, self._seconds / (3 if connection is not None else 15))
        if connection is not None:
            await connection.close()

    def _loop_answers(self) -> bool:
        self._ponged.clear()
        self._loop.call_soon_threadsafe(self._ponged.set)
        return self._ponged.wait(self._seconds / 3)

    async def _connect(self) -> Any:
        import asyncpg

        return await asyncpg.connect(self._url, timeout=self._seconds / 3, command_timeout=self._seconds / 3)

    async def _renew(self, connection: Any) -> bool:
        """Renew the lease unless it has run out: what ran out may belong to others already."""
        reach("heartbeat.before")
        renewed = await connection.fetchval(
            "UPDATE worker SET lease_until = now() + make_interval(secs => $2) "
            "WHERE id = $1 AND lease_until > now() RETURNING true",
            self._worker,
            self._seconds,
        )
        return bool(renewed)


def _broken() -> tuple[type[Exception], ...]:
    """Return what is raised where no server is, where it says no, and over a connection that is no more."""
    import asyncpg  # only where PostgreSQL is used

    return OSError, asyncpg.PostgresError, asyncpg.InterfaceError


class Workers:
    """The workers of an installation, as assembly uses them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def boot(self, value: Boot) -> None:
        await self._database.write(boot, value)

    async def leave(self, worker: str) -> None:
        await self._database.write(leave, worker)

    async def living(self) -> int:
        return await self._database.read(living, None)

    async def take_listener(self, value: Listen) -> bool:
        return await self._database.write(take_listener, value)
