"""Updates: one bot's queue, with the rules of polling. https://core.telegram.org/bots/api#getupdates"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from adapters._shared.simulator.signal import Signal
from adapters.telegram.simulator.limits import POLL_SECONDS, UPDATES_AT_ONCE, UPDATES_HOURS
from adapters.telegram.simulator.refusals import other_poller, webhook_is_set
from bot.clock import Clock

FIRST_ID = 9001
REMEMBERED = 1_000

# "Specify an empty list to receive all update types except chat_member, message_reaction, and message_reaction_count"
_NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


class Disconnected(Exception):
    """The poll's connection shall break."""


@dataclass(slots=True)
class Update:
    """One update that waits."""

    id: int
    body: dict[str, Any]
    raw: bytes
    at: float
    insistent: bool = False
    """It is delivered once more although it was confirmed."""


class UpdateQueue:
    """What happened, until the bot has confirmed it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[Update] = deque()
        self._delivered: deque[Update] = deque(maxlen=REMEMBERED)
        self._next_id = FIRST_ID
        self._poll: asyncio.Future[str] | None = None
        self._held = False
        self.allowed: frozenset[str] | None = None
        """The kinds that are queued; None: all that the server sends by default."""
        self.webhook_url = ""
        self.arrived = Signal()
        self.made: deque[dict[str, Any]] = deque(maxlen=20_000)
        """Every update of late, for whoever checks them."""
        self.polls = 0

    # --- what happens ---------------------------------------------------------------------------------

    def push(self, kind: str, body: dict[str, Any]) -> int | None:
        """Queue an update and return its id, None where the bot does not want this kind."""
        if not self._wants(kind):
            return None
        number = self._next_id
        self._next_id += 1
        update = {"update_id": number, kind: body}
        self.made.append(update)
        self._waiting.append(Update(id=number, body=update, raw=orjson.dumps(update), at=self._clock.monotonic()))
        self._wake("new")
        return number

    def _wants(self, kind: str) -> bool:
        if self.allowed is None:
            return kind not in _NOT_BY_DEFAULT
        return kind in self.allowed

    def allow(self, kinds: Sequence[str] | None) -> None:
        """Set which kinds are queued from now on; None leaves it as it is, an empty list is the default."""
        if kinds is not None:
            self.allowed = frozenset(kinds) or None

    @property
    def pending(self) -> int:
        return len(self._waiting)

    @property
    def is_polled(self) -> bool:
        """Whether a poll waits at this moment."""
        return self._poll is not None

    def drop_pending(self) -> None:
        self._waiting.clear()

    # --- polling -------------------------------------------------------------------------------------------

    async def poll(self, *, offset: int, limit: int, seconds: float) -> list[Update]:
        """Return what waits, or what comes in time; confirms everything before `offset`."""
        if self.webhook_url:
            raise webhook_is_set()
        self.polls += 1
        self._wake("other")
        self._confirm(offset)
        limit = min(max(limit, 1), UPDATES_AT_ONCE)
        if not self._ready and seconds > 0:
            await self._arrival(min(seconds, POLL_SECONDS))
        return self._take(limit)

    @property
    def _ready(self) -> bool:
        return bool(self._waiting) and not self._held

    async def _arrival(self, seconds: float) -> None:
        poll: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._poll = poll
        self.arrived.notify()
        try:
            reason = await asyncio.wait_for(poll, seconds)
        except TimeoutError:
            return
        finally:
            if self._poll is poll:
                self._poll = None
        if reason == "other":
            raise other_poller()
        if reason == "broken":
            raise Disconnected

    def _wake(self, reason: str) -> None:
        if reason == "new":
            self.arrived.notify()
            if self._held:
                return
        poll, self._poll = self._poll, None
        if poll is not None and not poll.done():
            poll.set_result(reason)

    def _confirm(self, offset: int) -> None:
        self._expire()
        if offset < 0:
            while len(self._waiting) > -offset:
                self._waiting.popleft()
        elif offset > 0:
            self._waiting = deque(update for update in self._waiting if update.id >= offset or update.insistent)

    def _expire(self) -> None:
        oldest = self._clock.monotonic() - UPDATES_HOURS * 3600
        while self._waiting and self._waiting[0].at < oldest:
            self._waiting.popleft()

    def _take(self, limit: int) -> list[Update]:
        if self._held:
            return []
        taken = list(self._waiting)[:limit]
        for update in taken:
            update.insistent = False
            self._delivered.append(update)
        return taken

    # --- webhooks -----------------------------------------------------------------------------------------

    def head(self) -> Update | None:
        """Return what a webhook is sent next."""
        self._expire()
        return self._waiting[0] if self._ready else None

    def done(self, update: Update) -> None:
        """Note that a webhook took an update."""
        self._delivered.append(update)
        if update in self._waiting:
            self._waiting.remove(update)

    # --- what can go wrong --------------------------------------------------------------------------------

    def redeliver(self, last: int = 1) -> None:
        """Deliver the latest updates once more, confirmed or not."""
        latest: dict[int, Update] = {}
        for update in reversed(self._delivered):
            if len(latest) < last:
                latest.setdefault(update.id, update)
        waiting = {update.id for update in self._waiting}
        for update in latest.values():
            update.insistent = True
            if update.id not in waiting:
                self._waiting.appendleft(update)
        self._wake("new")

    def hold(self) -> None:
        """Deliver nothing until `release`."""
        self._held = True

    def release(self, *, reverse: bool = False) -> None:
        """Deliver what was held, the newest first if asked to."""
        self._held = False
        if reverse:
            self._waiting.reverse()
        if self._waiting:
            self._wake("new")

    def disconnect(self) -> bool:
        """Break the connection of the poll that waits; says whether there was one."""
        was = self._poll is not None
        self._wake("broken")
        return was

    def close(self) -> None:
        """Let a waiting poll end with nothing."""
        self._wake("closed")
