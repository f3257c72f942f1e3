"""Signal: lets others wait until something has become true, without polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Signal:
    """Told of every change; whoever waits looks again then."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Say that something changed."""
        if not self._waiters:
            return
        waiters, self._waiters = self._waiters, set()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def changed(self) -> None:
        """Return after the next change."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            await waiter
        finally:
            self._waiters.discard(waiter)

    async def until(self, condition: Callable[[], T | None], seconds: float = 10.0) -> T:
        """Return the first true value of `condition`; raises `TimeoutError` when there is none in time."""
        async with asyncio.timeout(seconds):
            while not (found := condition()):
                await self.changed()
        return found
