"""Keeping: work that goes on for ever, whatever fault of ours ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from bot.clock import Clock

log = structlog.get_logger("bot")

PAUSE_SECONDS = 2.0


async def once(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
    """Do work in a task of its own; an error is logged, not raised. Say whether it ended by itself."""
    task = asyncio.ensure_future(work())
    try:
        await asyncio.wait((task,))
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log.error("work_stopped", work=name, exc_info=error)
    return error is None


async def keep(name: str, work: Callable[[], Coroutine[Any, Any, None]], clock: Clock) -> None:
    """Do work until cancelled or until it ends by itself; after an error it begins anew."""
    while not await once(name, work):
        await clock.sleep(PAUSE_SECONDS)
