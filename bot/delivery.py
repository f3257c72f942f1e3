"""Delivery: from the outbox to the platforms. One sender a room, in order; previews may be lost, rows never."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from datetime import timedelta
from typing import Any

import structlog

from bot.clock import Clock
from bot.errors import Fenced, StorageBusy
from bot.outlets import Outlets, platform_of
from bot.ports import Engine
from bot.sender import Sender
from bot.watch import Watch
from bot.work import RoomLease, Row

log = structlog.get_logger("delivery")

BEGIN_ANEW_SECONDS = 60.0
"""How long a room rests after a fault of ours."""

BUSY_SECONDS = 2.0
"""How long it rests when the database did not answer. The room stays ours meanwhile, so nobody else takes it."""


class Delivery:
    """Carries rows to their rooms."""

    def __init__(self, engine: Engine, outlets: Outlets, clock: Clock, watch: Watch, *, hours: float) -> None:
        self._engine = engine
        self._outlets = outlets
        self._clock = clock
        self._watch = watch
        self._keep = timedelta(hours=hours)
        self._rooms: dict[str, Sender] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def add(self, rows: Iterable[Row], lease: RoomLease | None = None) -> None:
        """Deliver rows that were just committed; `lease` where the same commit took their room."""
        for row in rows:
            held = lease if lease is not None and lease.room_key == row.room_key else None
            sender = self._sender(row.room_key, held)
            if sender is not None:
                sender.add(row, held)

    def show(self, row: Row, text: str) -> None:
        """Show how far an answer has grown; may be lost."""
        sender = self._rooms.get(row.room_key)
        if sender is not None:
            sender.show(row.id, text)

    def look(self, room_key: str) -> None:
        """Look for rows that somebody else left for a room."""
        sender = self._sender(room_key, None)
        if sender is not None:
            sender.look()

    async def take(self) -> None:
        """Take over rooms with waiting rows that nobody alive holds."""
        if self._closed:
            return
        for work in await self._engine.claim_rooms(None, self._clock.now()):
            sender = self._sender(work.lease.room_key, work.lease)
            if sender is not None:
                for row in work.rows:
                    sender.add(row, work.lease)

    async def close(self) -> None:
        """Stop sending; what waits stays in the outbox."""
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._rooms.clear()

    @property
    def idle(self) -> bool:
        """Nothing is being sent, and nothing is about to be."""
        return not self._rooms and not self._tasks

    def _sender(self, room_key: str, lease: RoomLease | None) -> Sender | None:
        """Return the room's one sender, made now where it has none; without a lease it takes the room first."""
        sender = self._rooms.get(room_key)
        outlet = self._outlets.get(platform_of(room_key))
        if sender is not None or outlet is None or self._closed:
            return sender
        sender = self._rooms[room_key] = Sender(self._engine, outlet, self._clock, self._watch, room_key, self._keep)
        if lease is not None:
            sender.hold(lease)
        self._spawn(self._drive(sender))
        return sender

    async def _drive(self, sender: Sender) -> None:
        """Let a sender work; one that a fault of ours stopped begins anew, from what the database knows."""
        try:
            await sender.work()
        except Fenced:
            log.info("room_lost", room=sender.key)
        except StorageBusy as error:
            log.warning("room_interrupted", room=sender.key, because=str(error))
            self._spawn(self._begin_anew(sender.key, BUSY_SECONDS))
        except asyncio.CancelledError:
            raise
        except BaseException:
            self._spawn(self._begin_anew(sender.key, BEGIN_ANEW_SECONDS))
            raise
        finally:
            del self._rooms[sender.key]

    async def _begin_anew(self, room_key: str, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self.look(room_key)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("delivery_stopped", exc_info=error)
