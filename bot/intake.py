"""Intake: from an adapter's events to the database. Nothing is acknowledged before it is committed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog

from bot.adapter import Accepted
from bot.clock import Clock
from bot.delivery import Delivery
from bot.errors import StorageBusy
from bot.events import Event
from bot.lanes import Lanes
from bot.people import Role
from bot.ports import Engine
from bot.settings import Access
from bot.watch import Watch
from bot.work import Arrival, Fate, Ingested, Judge

log = structlog.get_logger("intake")

Gatekeeper = Callable[[Event], Judge]
"""Returns the gates for an event, with all that they need to know beforehand."""


class Intake:
    """Takes in the events of one adapter."""

    def __init__(
        self,
        engine: Engine,
        lanes: Lanes,
        delivery: Delivery,
        gatekeeper: Gatekeeper,
        access: Access,
        clock: Clock,
        watch: Watch,
        *,
        reserves: bool,
    ) -> None:
        self._engine = engine
        self._lanes = lanes
        self._delivery = delivery
        self._gatekeeper = gatekeeper
        self._admit_as = int(Role.MEMBER) if access.open else None
        self._per_person = access.threads == "per_person"
        self._clock = clock
        self._watch = watch
        self._reserves = reserves

    async def deliver(self, events: Sequence[Event]) -> Sequence[Accepted]:
        """Commit events, in order within each room; raises `StorageBusy` when one could not be taken."""
        if len(events) == 1:
            return [await self._take(events[0])]
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
        arrival = Arrival(
            event=event,
            judge=self._gatekeeper(event),
            reserves=self._reserves,
            may_claim=self._lanes.free > 0,
            now=self._clock.now(),
            admit_as=self._admit_as,
            per_person=self._per_person,
        )
        try:
            done = await self._engine.ingest(arrival)
        except StorageBusy:
            raise
        except Exception as error:
            log.error("event_failed", id=event.id, kind=event.kind.value, exc_info=error)
            self._watch.received(event.room.platform, "failed")
            return Accepted()
        self._watch.received(event.room.platform, done.fate.value)
        self._follow(done)
        return Accepted(seen_before=done.fate is Fate.SEEN_BEFORE)

    def _follow(self, done: Ingested) -> None:
        """Let work begin on what was committed."""
        if done.rows:
            self._delivery.add(done.rows, done.room_lease)
        if done.claim is not None:
            self._lanes.start(done.claim)
        elif done.control is not None:
            self._lanes.control(done.control)
        elif done.wake_at is not None:
            self._lanes.wake_at(done.wake_at)
