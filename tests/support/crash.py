"""Crash: kill one engine in this process at the Nth point, and what must hold afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

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
    """What outlives every crash: the database, the platform, the world outside."""

    def __init__(self, opener: Callable[[], Database], desk: Desk, *, reserves: bool) -> None:
        self._opener = opener
        self._reserves = reserves
        self.desk = desk
        self.ledger = Ledger()

    async def world(self) -> World:
        """Start a worker and let it look around."""
        world = World(self._opener(), self.desk, reserves=self._reserves, request_seconds=AGAIN_SECONDS)
        world.judge = judge
        world.lanes.staff(Labour(world.engine, world.clock, world.adapter, self.ledger), world.answer)
        reaper = Reaper(world.connection, Moment())
        failpoint.arm(reaper)
        await world.start()
        await until(lambda: reaper.seen["take_rooms.after"] > 0)
        failpoint.arm(None)
        return world

    async def life(self, pieces: Iterable[Sequence[Piece]], acknowledged: set[int], moment: Moment) -> Reaper:
        """Let a worker work until it dies at its moment, or has done everything before."""
        world = await self.world()
        reaper = Reaper(world.connection, moment)
        failpoint.arm(reaper)
        rooms = [asyncio.ensure_future(_speak(world, room, acknowledged)) for room in pieces]
        ended = asyncio.ensure_future(_ended(world, rooms))
        killed = asyncio.ensure_future(reaper.dead.wait())
        await asyncio.wait([ended, killed], return_when=asyncio.FIRST_COMPLETED, timeout=60)
        if reaper.struck:
            await bury(world)
            failpoint.arm(None)
            return reaper
        failpoint.arm(None)
        killed.cancel()
        await ended
        await self._rest(world)
        return reaper

    async def recover(self, pieces: Iterable[Sequence[Piece]], acknowledged: set[int]) -> None:
        """Start anew, deliver again what was not acknowledged, and come to rest."""
        world = await self.world()
        await asyncio.gather(*(_speak(world, room, acknowledged) for room in pieces))
        await self._rest(world)

    async def read(self, fn: Verb[Value, Result], value: Value) -> Result:
        """Read the database between two lives."""
        database = self._opener()
        try:
            return await database.read(fn, value)
        finally:
            await database.close()

    async def _rest(self, world: World) -> None:
        """Wait until nothing is left to do, and stop."""
        async with asyncio.timeout(30):
            while await world.database.read(waiting, None):
                world.lanes.wake()
                await asyncio.sleep(0.005)
            await world.quiet()
        await world.stop()


async def _speak(world: World, pieces: Sequence[Piece], acknowledged: set[int]) -> None:
    """Deliver what was not acknowledged yet, in order, as a platform does."""
    for piece in pieces:
        for batch in piece.batches:
            if id(batch) not in acknowledged:
                await world.say(*batch)
                acknowledged.add(id(batch))


async def _ended(world: World, rooms: Sequence[asyncio.Future[None]]) -> None:
    await asyncio.gather(*rooms)
    await world.quiet()


async def bury(world: World) -> None:
    """End every task of a dead world; nothing that they still try reaches the database or the platform."""
    me = asyncio.current_task()
    async with asyncio.timeout(20):
        while tasks := [task for task in asyncio.all_tasks() if task is not me]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=0.05)
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError, failpoint.Killed):
            task.exception()
    if isinstance(world.database, SqliteDatabase):
        world.database.abandon()
    else:
        await world.database.close()


def waiting(connection: sa.Connection, _: None) -> int:
    """Return how much is left to do."""
    counts = (
        sa.select(sa.func.count()).select_from(RUN).where(RUN.c.status.in_(("queued", "running"))),
        sa.select(sa.func.count()).select_from(INBOX).where(sa.not_(INBOX.c.done)),
        sa.select(sa.func.count()).select_from(OUTBOX).where(OUTBOX.c.status.in_(("open", "pending"))),
    )
    return sum(int(connection.execute(count).scalar_one()) for count in counts)
