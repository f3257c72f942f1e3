"""Ticker: APScheduler as the clock that starts chores."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import structlog

from bot.clock import Clock
from bot.errors import StorageBusy
from bot.registry import load
from scheduler.chore import Chore, House
from scheduler.ports import Upkeep

log = structlog.get_logger("scheduler")


class Ticker:
    """Starts chores by the clock, in this process; nothing of it is stored."""

    def __init__(self, chores: Iterable[Chore], upkeep: Upkeep, clock: Clock, *, keep_days: float) -> None:
        self._chores = tuple(chores)
        self._upkeep = upkeep
        self._clock = clock
        self._keep_days = keep_days

    async def run(self) -> None:
        """Tick until cancelled."""
        # The library takes a third of a second to import: off the loop, and after everything else has started.
        make: Any = await asyncio.to_thread(load, "apscheduler.schedulers.asyncio:AsyncIOScheduler")
        scheduler = make(timezone="UTC")
        for chore in self._chores:
            seconds = chore.every.total_seconds()
            scheduler.add_job(
                self.do, "interval", args=[chore], seconds=seconds, coalesce=True, misfire_grace_time=None
            )
        scheduler.start()
        try:
            await asyncio.Event().wait()
        finally:
            scheduler.shutdown(wait=False)

    async def do(self, chore: Chore) -> None:
        """Do a chore now; a database that is busy gets another chance next time."""
        house = House(upkeep=self._upkeep, now=self._clock.now(), keep_days=self._keep_days)
        try:
            await chore.run(house)
        except StorageBusy as error:
            log.warning("chore_put_off", chore=chore.name, because=str(error))
