"""Crash: kill one engine in this process at the Nth point, and what must hold afterwards."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from bot import failpoint
from storage.database import Database, Result, Value, Verb
from storage.sqlite import SqliteDatabase
from storage.tables import INBOX, OUTBOX, RUN
from tests.support.labour import Labour, Ledger
from tests.support.paper import Desk, PaperConnection
from tests.support.script import Piece, judge
from tests.support.until import until
from tests.support.world import World

AGAIN_SECONDS = 0.01
"""How long a call to the platform may take here, so that repeated edits do not hold the suite up."""

REST_SECONDS = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """When to die: the Nth time that a point is reached; without a name, the Nth point of all."""

    name: str = ""
    nth: int = 0
    """0: never."""


class Reaper:
    """A failpoint hook that kills one world at its moment."""

    def __init__(self, connection: PaperConnection, moment: Moment) -> None:
        self._lock = threading.Lock()
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._moment = moment
        self.seen: Counter[str] = Counter()
        self.struck = False
        self.dead = asyncio.Event()

    def __call__(self, name: str) -> None:
        with self._lock:
            self.seen[name] += 1
            if not self.struck and not self._is_time(name):
                return
            if not self.struck:
                self.struck = self._connection.cut = True
                self._loop.call_soon_threadsafe(self.dead.set)
        raise failpoint.Killed(name)

    def _is_time(self, name: str) -> bool:
        if not self._moment.name:
            return self.seen.total() == self._moment.nth
        return name == self._moment.name and self.seen[name] == self._moment.nth


class Stage:
    """What outlives every crash: the database, the platform, the world outside; and the worker of the day."""

    def __init__(self, opener: Callable[[], Database], desk: Desk, *, reserves: bool, attempts: int) -> None:
        self._opener = opener
        self._attempts = attempts
        self.reserves = reserves
        self.in_flight = 0
        """Runs that the last death interrupted."""
        self._world: World | None = None
        self.desk = desk
        self.ledger = Ledger()

    async def life(self, rooms: Sequence[Sequence[Piece]], acknowledged: set[int], moment: Moment) -> Reaper:
        """Let a worker take in what was not acknowledged, and work until it rests or dies at its moment."""
        world = await self._alive()
        reaper = Reaper(world.connection, moment)
        failpoint.arm(reaper)
        work = asyncio.ensure_future(_work(world, rooms, acknowledged))
        killed = asyncio.ensure_future(reaper.dead.wait())
        await asyncio.wait([work, killed], return_when=asyncio.FIRST_COMPLETED)
        if reaper.struck:
            self._world = None
            self.in_flight = world.lanes.running
            await bury(world)
            failpoint.arm(None)
            await asyncio.gather(work, return_exceptions=True)
            return reaper
        failpoint.arm(None)
        killed.cancel()
        await work
        return reaper

    async def recover(self, rooms: Sequence[Sequence[Piece]], acknowledged: set[int]) -> None:
        """Deliver again what was not acknowledged, and come to rest."""
        await self.life(rooms, acknowledged, Moment())

    async def read(self, fn: Verb[Value, Result], value: Value) -> Result:
        world = await self._alive()
        return await world.database.read(fn, value)

    async def close(self) -> None:
        if self._world is not None:
            await self._world.stop()

    async def _alive(self) -> World:
        """Return the worker; where the last one died, a new one that has looked around."""
        if self._world is None:
            world = World(
                self._opener(),
                self.desk,
                reserves=self.reserves,
                request_seconds=AGAIN_SECONDS,
                attempts=self._attempts,
            )
            world.judge = judge
            world.lanes.staff(Labour(world.engine, world.clock, world.adapter, self.ledger), world.answer)
            looking = Reaper(world.connection, Moment())
            failpoint.arm(looking)
            await world.start()
            await until(lambda: looking.seen["take_rooms.after"] > 0)
            self._world = world
        return self._world


async def _speak(world: World, pieces: Sequence[Piece], acknowledged: set[int]) -> None:
    """Deliver what was not acknowledged yet, in order, as a platform does."""
    for piece in pieces:
        for batch in piece.batches:
            if id(batch) not in acknowledged:
                await world.say(*batch)
                acknowledged.add(id(batch))


async def _work(world: World, rooms: Sequence[Sequence[Piece]], acknowledged: set[int]) -> None:
    """Take everything in and come to rest."""
    async with asyncio.timeout(REST_SECONDS):
        await asyncio.gather(*(_speak(world, room, acknowledged) for room in rooms))
        await world.quiet()
        while await world.database.read(waiting, None):
            world.lanes.wake()
            await asyncio.sleep(0.005)
            await world.quiet()


async def bury(world: World) -> None:
    """End every task of a dead world; nothing that they still try reaches the database or the platform."""
    silent = isinstance(world.database, SqliteDatabase)
    me = asyncio.current_task()
    async with asyncio.timeout(REST_SECONDS):
        while tasks := [task for task in asyncio.all_tasks() if task is not me]:
            for task in tasks:
                if not _is_drivers(task):
                    task.cancel()
            # What a task gives back on its way out dies at its first point; a writer that is dead does not even
            # answer, so there the task is cancelled once more.
            done, _ = await asyncio.wait(tasks, timeout=0.005 if silent else 5.0)
            await asyncio.gather(*done, return_exceptions=True)
    if isinstance(world.database, SqliteDatabase):
        world.database.abandon()
    else:
        await world.database.close()


def _is_drivers(task: asyncio.Task[Any]) -> bool:
    """Say whether a task is one in which the driver closes a connection; a real death closes them all."""
    code = getattr(task.get_coro(), "cr_code", None)
    return code is not None and "sqlalchemy" in code.co_filename


def waiting(connection: sa.Connection, _: None) -> int:
    """Return how much is left to do."""
    counts = (
        sa.select(sa.func.count()).select_from(RUN).where(RUN.c.status.in_(("queued", "running"))),
        sa.select(sa.func.count()).select_from(INBOX).where(sa.not_(INBOX.c.done)),
        sa.select(sa.func.count()).select_from(OUTBOX).where(OUTBOX.c.status.in_(("open", "pending"))),
    )
    return sum(int(connection.execute(count).scalar_one()) for count in counts)
