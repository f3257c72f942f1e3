"""The clock of the machine. The only file that reads it."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def ticks() -> float:
    """Return seconds that only ever grow, for measuring where nobody needs to move time."""
    return time.monotonic()
