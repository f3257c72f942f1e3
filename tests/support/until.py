"""Wait for a condition that has no event of its own; it fails after a bounded time, it never just sleeps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Return as soon as `holds` is true; raises `TimeoutError`."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110  (the condition is spread over several components)
            await asyncio.sleep(0.002)
