"""Waiting: for whatever comes first."""

from __future__ import annotations

import asyncio

from bot.clock import Clock


async def until(changed: asyncio.Event, clock: Clock, seconds: float | None) -> None:
    """Wait until something changed, at most so many seconds; None waits for the change alone."""
    if seconds is None:
        await changed.wait()
        return
    waits = (asyncio.ensure_future(changed.wait()), asyncio.ensure_future(clock.sleep(seconds)))
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
