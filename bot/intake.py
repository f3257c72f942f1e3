"""Intake: from an adapter's events to the database. Nothing is acknowledged before it is committed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import structlog

from bot.adapter import Accepted
from bot.clock import Clock
from bot.delivery import Delivery
from bot.errors import StorageBusy
from bot.events import Event
from bot.gatekeeper import Entry
from bot.gates import together
from bot.keeping import once
from bot.lanes import Lanes
from bot.ports import Engine
from bot.rules import admitted_as
from bot.settings import Access
from bot.watch import Watch
from bot.work import Arrival, Fate, Ingested, Verdict

log = structlog.get_logger("intake")


class Door(Protocol):
    """Whoever makes events ready for their transaction: `bot.gatekeeper.Gatekeeper`."""

    def ready(self, event: Event) -> Entry: ...

    def settle(self, entry: Entry, done: Ingested | None) -> None: ...

    def apology(self, event: Event) -> Verdict:
        """Return what becomes of an event that broke us."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Path:
    """What takes events further; one for all adapters."""

    engine: Engine
    lanes: Lanes
    delivery: Delivery
    clock: Clock
    watch: Watch


class Intake:
    """Takes in the events of one adapter."""

    def __init__(self, path: Path, door: Door, access: Access) -> None:
        self._path = path
        self._door = door
        self._access = access

    async def deliver(self, events: Sequence[Event]) -> Sequence[Accepted]:
        """Commit events, in order within each room; raises `StorageBusy` when one could not be taken."""
        if len(events) == 1:
            return [await self._take(events[0])]
        events = together(events)
        rooms: dict[str, list[int]] = {}
        for place, event in enumerate(events):
            rooms.setdefault(event.room.key, []).append(place)
        accepted: list[Accepted] = [Accepted()] * len(events)

        async def take_room(places: list[int]) -> None:
            for place in places:
                accepted[place] = await self._take(events[place])

        results = await asyncio.gather(*(take_room(places) for places in rooms.values()), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return accepted

    async def _take(self, event: Event) -> Accepted:
        entry = self._door.ready(event)
        role = admitted_as(event, self._access)
        arrival = Arrival(
            event=entry.event,
            judge=entry.judge,
            may_claim=self._path.lanes.free > 0,
            now=self._path.clock.now(),
            admit_as=None if role is None else int(role),
            per_person=self._access.threads == "per_person",
        )
        done: Ingested | None = None
        try:
            done = await self._path.engine.ingest(arrival)
        except StorageBusy:
            raise
        except Exception as error:
            log.error("event_failed", id=event.id, kind=event.kind.value, exc_info=error)
            self._path.watch.received(event.room.platform, "failed")
            await once("apology", partial(self._apologise, arrival))
            return Accepted()
        finally:
            self._door.settle(entry, done)
        self._path.watch.received(event.room.platform, done.fate.value)
        self._follow(done)
        return Accepted(seen_before=done.fate is Fate.SEEN_BEFORE)

    async def _apologise(self, arrival: Arrival) -> None:
        """Keep an event that broke us, and say so to whoever sent it."""
        verdict = self._door.apology(arrival.event)
        self._follow(await self._path.engine.ingest(replace(arrival, judge=lambda event, standing: verdict)))

    def _follow(self, done: Ingested) -> None:
        """Let work begin on what was committed."""
        path = self._path
        if done.rows:
            path.delivery.add(done.rows, done.room_lease)
        if done.claim is not None:
            path.lanes.start(done.claim)
        elif done.control is not None:
            path.lanes.control(done.control)
        elif done.wake_at is not None:
            path.lanes.wake_at(done.wake_at)
