"""Live: one run as it goes on, between the lane that carries it and the agent that works on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class LiveRun:
    """Shows how far an answer has grown, and says when somebody wants it stopped."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._stop = asyncio.Event()

    def show(self, text: str) -> None:
        """Show the text so far; cheap, and may be lost."""
        self._show(text)

    def cancel(self) -> None:
        self._stop.set()

    @property
    def cancelled(self) -> bool:
        return self._stop.is_set()

    async def wait_cancelled(self) -> None:
        await self._stop.wait()
