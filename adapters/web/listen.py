"""Listen: store what a person says, hand it to intake in order, and keep viewers current."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from weakref import WeakValueDictionary

import structlog

from adapters.web import facts, texts
from adapters.web.files import FileStore
from adapters.web.live import Live
from adapters.web.ports import Transcript
from adapters.web.receive import event_of
from bot.adapter import Deliver
from bot.clock import Clock
from bot.errors import StorageBusy
from bot.transcript import Message, Writing

log = structlog.get_logger("web")


class Listener:
    """The way in: transcript first, then intake, then the browser's answer."""

    def __init__(self, transcript: Transcript, files: FileStore, live: Live, clock: Clock) -> None:
        self._transcript = transcript
        self._files = files
        self._live = live
        self._clock = clock
        self._deliver: Deliver | None = None
        self._orders: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def say(self, writing: Writing) -> Message:
        """Store what was said and hand it over; a repeated key does neither again.

        Raises `NotAllowed`, and `StorageBusy` when intake shall be asked again.
        """
        if self._deliver is None:
            raise StorageBusy(texts.STARTING)
        async with self._order(writing.conversation):
            message = await self._transcript.say(writing)
            self._live.changed(writing.conversation)
            await self._hand_over(self._deliver, await self._transcript.waiting(writing.conversation))
        return message

    async def run(self, deliver: Deliver) -> None:
        """Listen until cancelled."""
        self._deliver = deliver
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._every(facts.POLL_SECONDS, self._poll))
                tasks.create_task(self._every(facts.BEAT_SECONDS, self._beat))
                tasks.create_task(self._every(facts.BEAT_SECONDS, self.hand_over_waiting))
                tasks.create_task(self._every(3600.0, self._files.tidy))
        finally:
            self._deliver = None

    async def hand_over_waiting(self) -> None:
        """Hand over what a crash or a busy database left behind."""
        if self._deliver is None:
            return
        behind = await self._transcript.waiting(None)
        for conversation in dict.fromkeys(message.conversation for message in behind):
            async with self._order(conversation):
                await self._hand_over(self._deliver, await self._transcript.waiting(conversation))

    def _order(self, conversation: str) -> asyncio.Lock:
        return self._orders.setdefault(conversation, asyncio.Lock())

    async def _hand_over(self, deliver: Deliver, messages: Sequence[Message]) -> None:
        if messages:
            await deliver([event_of(message) for message in messages])
            await self._transcript.taken([message.id for message in messages])

    async def _poll(self) -> None:
        """Wake viewers for what other replicas wrote."""
        watched = self._live.watched()
        if watched:
            for conversation, change in (await self._transcript.newest_changes(watched)).items():
                self._live.changed(conversation, change)

    async def _beat(self) -> None:
        self._live.beat()

    async def _every(self, seconds: float, action: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await action()
            except StorageBusy as error:
                log.warning("page_storage_busy", because=str(error))
            await self._clock.sleep(seconds)
