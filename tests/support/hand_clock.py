"""A clock whose hands a test moves."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class HandClock:
    """Stands still until it is moved; whoever sleeps wakes when their time has come."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return START + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        return self._seconds

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._seconds + seconds, waiter))
        await waiter

    @property
    def sleepers(self) -> int:
        """How many wait for the hands to move."""
        return sum(not waiter.done() for _, waiter in self._sleepers)

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self._seconds += seconds
        for until, waiter in self._sleepers:
            if until <= self._seconds and not waiter.done():
                waiter.set_result(None)
        self._sleepers = [(until, waiter) for until, waiter in self._sleepers if not waiter.done()]
