"""Running: start the edges, look for work, and stop in the reverse order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any

import structlog

from bot.adapter import Connection
from bot.clock import Clock
from bot.delivery import Delivery
from bot.errors import StorageBusy
from bot.intake import Intake
from bot.keeping import keep
from bot.lanes import Lanes

log = structlog.get_logger("bot")

GRACE_SECONDS = 25.0
"""How long runs get to end when the process is asked to stop."""

LISTEN_RETRY_SECONDS = 2.0

MayListen = Callable[[str, str], Awaitable[bool]]
"""Asks to be the one worker that listens to an account: platform, account."""


class Bot:
    """Everything that was assembled, at work."""

    def __init__(
        self,
        lanes: Lanes,
        delivery: Delivery,
        intakes: Mapping[str, Intake],
        connections: Mapping[str, Connection],
        may_listen: MayListen,
        clock: Clock,
    ) -> None:
        self._lanes = lanes
        self._delivery = delivery
        self._intakes = intakes
        self._connections = connections
        self._may_listen = may_listen
        self._clock = clock
        self._listening: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, *beside: Coroutine[Any, Any, None]) -> None:
        """Begin to listen and to look for work; `beside` runs as long as we do."""
        listening = [keep(f"listen.{name}", partial(self._listen, name), self._clock) for name in self._connections]
        work = [keep("poll", self._lanes.poll, self._clock), *beside, *listening]
        self._tasks = [asyncio.ensure_future(one) for one in work]
        for task in self._tasks:
            task.add_done_callback(_ended)

    def listening(self) -> Mapping[str, bool]:
        """Return each platform, and whether it is heard: by us, or rightly by another worker."""
        return {name: name in self._listening for name in self._connections}

    async def stop(self) -> None:
        """Listen no more, let runs end, give back what remains, and close the accounts."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._lanes.drain(GRACE_SECONDS)
        await self._close()

    async def drop(self) -> None:
        """Stop at once: somebody else may work on what was ours."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._lanes.drop()
        await self._close()

    async def _close(self) -> None:
        await self._delivery.close()
        for connection in self._connections.values():
            await connection.close()

    async def _listen(self, name: str) -> None:
        connection = self._connections[name]
        while not await self._our_turn(name, connection):
            self._listening.add(name)
            await self._clock.sleep(LISTEN_RETRY_SECONDS)
        self._listening.add(name)
        log.info("listening", platform=name, account=connection.account)
        try:
            await connection.listen(self._intakes[name].deliver)
        finally:
            self._listening.discard(name)

    async def _our_turn(self, name: str, connection: Connection) -> bool:
        if not connection.listens_alone:
            return True
        try:
            return await self._may_listen(name, connection.account)
        except StorageBusy:
            return False


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("edge_stopped", exc_info=error)
