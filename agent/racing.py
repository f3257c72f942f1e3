"""Racing: work that goes on until something else happens first."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Overtaken(Exception):
    """The other thing happened first; the work was cancelled and has ended."""


async def before(stop: Coroutine[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Return what the work gives, or raise `Overtaken` when `stop` ends before it. Neither goes on afterwards."""
    task, signal = asyncio.ensure_future(work), asyncio.ensure_future(stop)
    try:
        await asyncio.wait((task, signal), return_when=asyncio.FIRST_COMPLETED)
        if task.done() and not task.cancelled():
            return task.result()
    finally:
        task.cancel()
        signal.cancel()
        await asyncio.gather(task, signal, return_exceptions=True)
    raise Overtaken
