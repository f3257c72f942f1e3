"""Limiter: how fast persons, rooms and other bots may speak. Counted before the transaction, settled after it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from bot.events import Event, Kind
from bot.rules import REFUSED, UNHURRIED, Pace
from bot.settings import Access, Limits
from bot.work import Fate

MINUTE = 60.0
REFUSAL_SECONDS = 600.0
"""A stranger who goes on is not turned away in words again for this long."""
REMEMBERED = 10_000
"""Persons, and as many rooms; the longest silent ones are forgotten first."""

_COUNTED = frozenset({Kind.MESSAGE, Kind.CLICK, Kind.FORM, Kind.COMMAND, Kind.WEBHOOK})

Value = TypeVar("Value")


class _Recent(Generic[Value]):
    """A mapping of bounded size that forgets what was not used for longest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[str, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> Value | None:
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: str, value: Value) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)

    def get_or(self, key: str, make: Callable[[], Value]) -> Value:
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value


class _Bucket:
    """A token bucket that may go into debt, as deep as it can be full."""

    __slots__ = ("_at", "_size", "_tokens", "_told_at", "_until")

    def __init__(self, per_minute: int, now: float) -> None:
        self._size = float(per_minute)
        self._tokens = self._size
        self._at = now
        self._until = now
        self._told_at = now - MINUTE

    def take(self, now: float) -> float:
        """Count one and return how long it must wait.

        All that comes while somebody waits waits for the same moment: a flood delays its answer, but not for ever.
        """
        self._tokens = min(self._size, self._tokens + (now - self._at) * self._size / MINUTE)
        self._at = now
        self._tokens = max(-self._size, self._tokens - 1)
        if self._tokens >= 0:
            return 0.0
        if self._until <= now:
            self._until = now - self._tokens * MINUTE / self._size
        return self._until - now

    def tell(self, now: float) -> bool:
        """Say whether the wait should be told now; that is so once a minute at most."""
        if now - self._told_at < MINUTE:
            return False
        self._told_at = now
        return True

    def give_back(self, *, told: bool) -> None:
        self._tokens = min(self._size, self._tokens + 1)
        if told:
            self._told_at -= MINUTE


class _Window:
    """What other bots said in a room since the window opened."""

    __slots__ = ("count", "opened_at")

    def __init__(self, now: float) -> None:
        self.opened_at = now
        self.count = 0


class Limiter:
    """Counts what comes in. All times are monotonic seconds, handed in with the event's pace."""

    def __init__(self, access: Access, limits: Limits, *, remembered: int = REMEMBERED) -> None:
        self._access = access
        self._limits = limits
        self._persons: _Recent[_Bucket] = _Recent(remembered)
        self._rooms: _Recent[_Bucket] = _Recent(remembered)
        self._bots: _Recent[_Window] = _Recent(remembered)
        self._refused: _Recent[float] = _Recent(remembered)

    @property
    def remembered(self) -> int:
        """How many persons, rooms and refusals are kept in memory."""
        return len(self._persons) + len(self._rooms) + len(self._bots) + len(self._refused)

    def take(self, event: Event, now: float) -> Pace:
        """Count the event and say what follows; `settle` must be told what became of it."""
        if event.kind not in _COUNTED or event.author.is_us:
            return UNHURRIED
        account = _account(event)
        person = self._wait(self._persons, account, self._limits.messages_per_minute, now)
        room = self._wait(self._rooms, event.room.key, self._limits.room_messages_per_minute, now)
        wait, by_room = max(person, room), room > person
        notice = wait > 0 and self._bucket(account, event, by_room=by_room).tell(now)
        refused_at = self._refused.get(account)
        return Pace(
            wait_seconds=wait,
            notice=notice,
            room=by_room,
            bot_capped=event.author.is_bot and self._bot_capped(event.room.key, now),
            refused_lately=refused_at is not None and now - refused_at < REFUSAL_SECONDS,
            charged_at=now,
        )

    def settle(self, event: Event, pace: Pace, fate: Fate | None, because: str = "") -> None:
        """Uncount what did not become work or an answer; None where the transaction failed."""
        if pace.charged_at is None or fate is Fate.QUEUED:
            return
        if fate is Fate.ANSWERED:
            if because == REFUSED:
                self._refused.put(_account(event), pace.charged_at)
            return
        account = _account(event)
        for buckets, key, told in (
            (self._persons, account, pace.notice and not pace.room),
            (self._rooms, event.room.key, pace.notice and pace.room),
        ):
            bucket = buckets.get(key)
            if bucket is not None:
                bucket.give_back(told=told)
        if event.author.is_bot and not pace.bot_capped:
            window = self._bots.get(event.room.key)
            if window is not None and window.count > 0:
                window.count -= 1

    def _wait(self, buckets: _Recent[_Bucket], key: str, per_minute: int, now: float) -> float:
        if per_minute <= 0:
            return 0.0
        return buckets.get_or(key, lambda: _Bucket(per_minute, now)).take(now)

    def _bucket(self, account: str, event: Event, *, by_room: bool) -> _Bucket:
        bucket = self._rooms.get(event.room.key) if by_room else self._persons.get(account)
        assert bucket is not None, "whoever waits was counted"
        return bucket

    def _bot_capped(self, room_key: str, now: float) -> bool:
        """Count a bot's message; say whether it is one too many until the window passes."""
        window = self._bots.get_or(room_key, lambda: _Window(now))
        if now - window.opened_at >= self._access.bot_window_seconds:
            window.opened_at, window.count = now, 0
        if window.count >= self._access.bot_cap:
            return True
        window.count += 1
        return False


def _account(event: Event) -> str:
    return f"{event.room.platform}/{event.author.id}"
