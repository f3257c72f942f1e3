"""Clock: everything that needs time is handed one."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Now, elapsed time and sleep, so that tests can move time."""

    def now(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that only ever grow, for measuring."""
        ...

    async def sleep(self, seconds: float) -> None: ...
