"""Sender: the one that sends into a room. `bot/outgoing.py` says what is done next, this only does it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from bot import texts
from bot.clock import Clock
from bot.errors import DeliveryError, Fenced, Gone, RateLimited, Refused, StorageBusy, Unknown, Vanished
from bot.events import Room
from bot.failpoint import reach
from bot.outgoing import Done, Expire, Live, Now, Preview, Reserve, Send, Wait, merge, next_step
from bot.outlets import Outlet
from bot.pacing import Bucket
from bot.ports import Engine
from bot.replies import Part, Reply
from bot.waiting import until
from bot.watch import Watch
from bot.work import Delivered, Mark, RoomLease, Row, RowKind

log = structlog.get_logger("delivery")

BACKOFF_SECONDS = 1.0
BACKOFF_MOST_SECONDS = 60.0
FIRST_PREVIEW_SECONDS = 0.25
"""How soon after its placeholder an answer is shown growing."""

TRIES = 12
"""A row whose tries end nobody knows how is tried this often, over about eight minutes: it holds up all behind it.

While the platform cannot be reached, nothing counts but the row's age.
"""


class Sender:
    """The one sender of a room that we hold."""

    def __init__(
        self, engine: Engine, outlet: Outlet, clock: Clock, watch: Watch, room_key: str, keep: timedelta
    ) -> None:
        self.key = room_key
        self._engine = engine
        self._outlet = outlet
        self._clock = clock
        self._watch = watch
        self._keep = keep
        self._room = Room.from_key(room_key)
        self._lease: RoomLease | None = None
        self._look = False
        self._lives: dict[int, Live] = {}
        self._ended: set[int] = set()
        """Rows that are done: one that was read before that was stored is not sent again."""
        self._changed = asyncio.Event()
        self._pause_until: datetime | None = None
        self._late_preview = False
        """A preview of an earlier call may still arrive, so the final edit is repeated."""
        self._preview_seconds = 0.0
        self._pace = Bucket(0.0, 1.0)

    def hold(self, lease: RoomLease) -> None:
        """Send by this lease from now on."""
        if self._lease is not None and lease.fence <= self._lease.fence:
            return
        self._lease = lease
        if lease.taken_over:
            # What the dead worker left here is older than whatever brought us the lease.
            self._late_preview = self._look = True
        facts = self._outlet.adapter.capabilities
        self._preview_seconds = facts.preview_seconds_direct if lease.direct else facts.preview_seconds_group
        rate = 1.0 / facts.room_seconds if self._outlet.room_paced and facts.room_seconds and not lease.direct else 0.0
        self._pace = Bucket(rate, facts.room_burst)

    def look(self) -> None:
        """Read the room's waiting rows again."""
        self._look = True
        self._changed.set()

    def add(self, row: Row, lease: RoomLease | None) -> None:
        if lease is not None:
            self.hold(lease)
        if row.id in self._ended:
            return
        known = self._lives.get(row.id)
        if known is None:
            self._lives[row.id] = Live(row=row)
        else:
            known.row = merge(known.row, row)
        self._changed.set()

    def show(self, row_id: int, text: str) -> None:
        live = self._lives.get(row_id)
        if live is not None:
            live.text = text
            self._changed.set()

    async def work(self) -> None:
        """Send until nothing is left."""
        while True:
            self._changed.clear()
            if self._lease is None or self._look:
                await self._take()
            if await self._paused():
                continue
            match next_step(self._lives.values(), self._now()):
                case Reserve(live=live):
                    await self._try(live, self._reserve)
                case Send(live=live):
                    await self._try(live, self._send)
                case Preview(live=live):
                    await self._preview(live)
                case Expire(lives=lives):
                    await self._expire(lives)
                case Wait(seconds=seconds):
                    await until(self._changed, self._clock, seconds)
                case Done():
                    return

    async def _take(self) -> None:
        """Take the room, with what waits there; raises `Fenced` when another living worker has it."""
        self._look = False
        for work in await self._engine.claim_rooms([self.key], self._clock.now()):
            self.hold(work.lease)
            for row in work.rows:
                self.add(row, None)
        if self._lease is None:
            raise Fenced(f"room {self.key}")

    def _now(self) -> Now:
        time = self._clock.now()
        return Now(
            time=time,
            monotonic=self._clock.monotonic(),
            reserves=self._outlet.adapter.capabilities.reserves,
            preview_seconds=self._preview_seconds,
            oldest=time - self._keep,
        )

    async def _paused(self) -> bool:
        """Wait while the platform wants silence; say whether we did."""
        if self._pause_until is None:
            return False
        seconds = (self._pause_until - self._clock.now()).total_seconds()
        self._pause_until = None
        if seconds <= 0:
            return False
        await self._clock.sleep(seconds)
        return True

    async def _reserve(self, live: Live) -> None:
        """Post the placeholder, and store its id before any text exists."""
        row = live.row
        await self._pass()
        reach("reserve.before")
        message_id = await self._outlet.connection.post(self._room, None, key=row.key, anchor=row.anchor)
        reach("reserve.after")
        live.row = replace(live.row, message_id=message_id, not_before=None)
        # Most answers that come at once need no preview.
        live.shown_at = (
            self._clock.monotonic() - self._preview_seconds + min(self._preview_seconds, FIRST_PREVIEW_SECONDS)
        )
        await self._store(
            Mark(row_id=row.id, status="open", message_id=message_id, attempt=live.row.attempt, aliased=True)
        )

    async def _send(self, live: Live) -> None:
        row, part = live.row, live.row.body
        assert part is not None
        await self._pass()
        if row.message_id:
            reach("fill.before")
            await self._outlet.connection.fill(self._room, row.message_id, part)
            reach("fill.after")
            message_id = row.message_id
        else:
            message_id = await self._post(row, part)
        if row.kind is not RowKind.AGAIN:
            self._watch.delivered(self._room.platform, (self._clock.now() - row.created_at).total_seconds())
        self._end(row)
        await self._store(
            Mark(row_id=row.id, status="sent", message_id=message_id, attempt=row.attempt, aliased=not row.message_id),
            again=row.kind is not RowKind.AGAIN,
        )

    async def _post(self, row: Row, part: Part) -> str:
        """Post where nothing was reserved; look first where an earlier try may have left it."""
        if row.ambiguous:
            found = await self._outlet.connection.find(self._room, key=row.key)
            if found is not None:
                return found
        reach("post.before")
        message_id = await self._outlet.connection.post(self._room, part, key=row.key, anchor=row.anchor)
        reach("post.after")
        return message_id

    async def _pass(self) -> None:
        """Wait for a place in the platform's and the room's pace."""
        for bucket in (self._pace, self._outlet.pace):
            while (delay := bucket.delay(self._clock.monotonic())) > 0:
                await self._clock.sleep(delay)
            bucket.take(self._clock.monotonic())

    async def _preview(self, live: Live) -> None:
        """Show how far an answer has grown, if that disturbs nobody and the room is still ours."""
        text, now = live.text, self._clock.monotonic()
        live.shown, live.shown_at = text, now
        if self._pace.delay(now, spare=2) > 0 or self._outlet.pace.delay(now, spare=5) > 0:
            return
        part = self._outlet.adapter.preview(text)
        if part == live.part:
            # The first message is full: what grows now will stand in later ones.
            return
        if self._lease is None or not await self._engine.still_ours(self._lease):
            raise Fenced(f"room {self.key}")
        if live.row.body is not None:
            return
        for bucket in (self._pace, self._outlet.pace):
            bucket.take(now)
        try:
            reach("preview.before")
            await self._outlet.connection.fill(self._room, live.row.message_id, part)
            live.part = part
            reach("preview.after")
        except RateLimited as error:
            self._pause(error.retry_after)
        except Unknown:
            self._late_preview = True
        except DeliveryError as error:
            log.info("preview_lost", room=self.key, because=str(error))

    def _pause(self, seconds: float) -> None:
        self._pause_until = self._clock.now() + timedelta(seconds=seconds)
        self._watch.failed(self._room.platform, "RateLimited")

    async def _try(self, live: Live, act: Callable[[Live], Awaitable[None]]) -> None:
        """Do one thing to a row, and turn each kind of failure into what it asks for."""
        try:
            await act(live)
        except RateLimited as error:
            self._pause(error.retry_after)
        except Gone as error:
            await self._give_up(tuple(self._lives.values()), error)
        except Vanished as error:
            if live.row.kind is RowKind.AGAIN:
                # Somebody deleted the message meanwhile: there is nothing left that must be set right.
                await self._give_up((live,), error)
                return
            live.row = replace(live.row, message_id="", ambiguous=False)
            await self._store(Mark(row_id=live.row.id, status="pending", attempt=live.row.attempt))
        except Refused as error:
            await self._plainer(live, error)
        except DeliveryError as error:
            await self._later(live, error)

    async def _later(self, live: Live, error: DeliveryError) -> None:
        """Try again later; a try whose end is unknown is looked up first."""
        row = live.row
        attempt = row.attempt + 1
        self._watch.failed(self._room.platform, type(error).__name__)
        if attempt >= TRIES and isinstance(error, Unknown):
            await self._give_up((live,), error, notice=not row.key.startswith("notice"))
            return
        seconds = min(BACKOFF_MOST_SECONDS, BACKOFF_SECONDS * 2 ** min(row.attempt, 10))
        at = self._clock.now() + timedelta(seconds=seconds)
        ambiguous = row.ambiguous or isinstance(error, Unknown)
        live.row = replace(row, attempt=attempt, not_before=at, ambiguous=ambiguous)
        status = "open" if row.body is None else "pending"
        log.warning("delivery_delayed", room=self.key, row=row.id, attempt=attempt, seconds=seconds, because=str(error))
        await self._store(
            Mark(row_id=row.id, status=status, message_id=row.message_id, attempt=attempt, next_at=at, error=str(error))
        )

    async def _plainer(self, live: Live, error: Refused) -> None:
        """Show the same content in a plainer form; when even that is refused, say that it could not be shown."""
        row = live.row
        plain = self._outlet.adapter.plainer(row.body) if row.body is not None else None
        if plain is None:
            await self._give_up((live,), error, notice=not row.key.startswith("notice"))
            return
        log.warning("delivery_plainer", room=self.key, row=row.id, because=str(error))
        live.row = replace(row, body=plain)
        await self._store(
            Mark(row_id=row.id, status="pending", message_id=row.message_id, attempt=row.attempt, body=plain)
        )

    async def _give_up(self, lives: tuple[Live, ...], error: DeliveryError, *, notice: bool = False) -> None:
        for live in lives:
            self._end(live.row)
            self._watch.failed(self._room.platform, "dead")
            log.error("delivery_dead", room=self.key, row=live.row.id, key=live.row.key, because=str(error))
        notices = self._say(texts.not_shown(str(error))) if notice else ()
        await self._store(*(self._dead(live, str(error)) for live in lives), notices=notices)

    async def _expire(self, lives: tuple[Live, ...]) -> None:
        """Replace what is too old by one line."""
        for live in lives:
            self._end(live.row)
        log.warning("deliveries_expired", room=self.key, count=len(lives))
        marks = (self._dead(live, "too old") for live in lives)
        counted = sum(live.row.kind is not RowKind.AGAIN and not live.row.key.startswith("notice") for live in lives)
        await self._store(*marks, notices=self._say(texts.late_digest(counted)) if counted else ())

    def _end(self, row: Row) -> None:
        self._lives.pop(row.id, None)
        self._ended.add(row.id)

    def _dead(self, live: Live, error: str) -> Mark:
        row = live.row
        return Mark(row_id=row.id, status="dead", message_id=row.message_id, attempt=row.attempt, error=error)

    def _say(self, text: str) -> tuple[Part, ...]:
        return self._outlet.adapter.render(Reply(text=text))

    async def _store(self, *marks: Mark, notices: tuple[Part, ...] = (), again: bool = False) -> None:
        """Commit what happened; a database that is busy is waited for, since the message stands already."""
        assert self._lease is not None, "nothing is sent without it"
        again_at = None
        if self._late_preview and again:
            again_at = self._clock.now() + timedelta(seconds=self._outlet.adapter.capabilities.request_seconds)
        delivered = Delivered(
            lease=self._lease,
            marks=marks,
            release=not self._lives,
            again_at=again_at,
            notices=notices,
            now=self._clock.now(),
        )
        wait = BACKOFF_SECONDS
        while True:
            try:
                for row in await self._engine.delivered(delivered):
                    self.add(row, None)
                return
            except StorageBusy as error:
                log.warning("delivery_not_stored", room=self.key, because=str(error))
                await self._clock.sleep(wait)
                wait = min(wait * 2, BACKOFF_MOST_SECONDS)
