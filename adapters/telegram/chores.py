"""Chores: small calls that nobody waits for. They may fail, and are dropped when the account closes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from telegram.error import TelegramError

from adapters.telegram.errors import translate

log = structlog.get_logger("telegram")


class Chores:
    """What runs beside the path."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, name: str, work: Callable[[], Awaitable[Any]]) -> None:
        """Do it in the background."""
        task = asyncio.create_task(_attempt(name, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Drop what is not done."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _attempt(name: str, work: Callable[[], Awaitable[Any]]) -> None:
    try:
        await work()
    except TelegramError as error:
        log.info("chore_failed", chore=name, because=str(translate(error, repeatable=True)))
