"""Mailbox: what adapters deliver to; it can be busy, and it can be stuck."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from bot.adapter import Accepted, Connection
from bot.errors import StorageBusy
from bot.events import Event, Kind

SECONDS = 10.0


class Mailbox:
    """Fulfils `Deliver`."""

    def __init__(self, *, busy: int = 0, stuck: bool = False) -> None:
        self.events: list[Event] = []
        """What was committed."""
        self.tries: list[tuple[Event, ...]] = []
        """Every batch that was handed over, committed or not."""
        self._busy = busy
        self._stuck = stuck
        self._changed = asyncio.Condition()

    async def __call__(self, events: Sequence[Event]) -> Sequence[Accepted]:
        self.tries.append(tuple(events))
        await self._tell()
        if self._stuck:
            await asyncio.Event().wait()
        if self._busy:
            self._busy -= 1
            raise StorageBusy("the database is busy")
        self.events += events
        await self._tell()
        return [Accepted() for _ in events]

    def of(self, kind: Kind) -> list[Event]:
        return [event for event in self.events if event.kind is kind]

    @property
    def texts(self) -> list[str]:
        """What people said, in the order of arrival."""
        return [event.text for event in self.of(Kind.MESSAGE)]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return once the condition holds; fails with what came instead."""
        try:
            async with asyncio.timeout(SECONDS), self._changed:
                await self._changed.wait_for(condition)
        except TimeoutError:
            raise AssertionError(f"it did not come; committed so far: {self.events}") from None

    async def gets(self, kind: Kind, count: int = 1) -> list[Event]:
        """Wait for so many events of a kind."""
        await self.until(lambda: len(self.of(kind)) >= count)
        return self.of(kind)

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


@asynccontextmanager
async def listening(connection: Connection, mailbox: Mailbox) -> AsyncIterator[Mailbox]:
    """Listen for as long as the block lasts; a listener that ends by itself fails the test."""
    task = asyncio.create_task(connection.listen(mailbox))
    await asyncio.sleep(0)
    try:
        yield mailbox
        assert not task.done(), f"listening ended by itself: {task}"
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
