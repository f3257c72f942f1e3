"""Outgoing: what a room's sender does next. The whole policy of order, without I/O and without a clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.replies import Part
from bot.work import Row, RowKind


@dataclass(kw_only=True, slots=True)
class Live:
    """A row that waits in memory, and what is shown of it meanwhile."""

    row: Row
    text: str = ""
    """The newest preview that somebody wants shown."""
    shown: str = ""
    """The newest preview that was shown."""
    part: Part | None = None
    """The newest preview that the platform took, rendered."""
    shown_at: float = field(default=float("-inf"))

    @property
    def stale(self) -> bool:
        return self.row.body is None and bool(self.text) and self.text != self.shown


@dataclass(frozen=True, kw_only=True, slots=True)
class Reserve:
    """Post the placeholder of a row."""

    live: Live


@dataclass(frozen=True, kw_only=True, slots=True)
class Send:
    """Make a row's message show its content."""

    live: Live


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """Show how far an answer has grown."""

    live: Live


@dataclass(frozen=True, kw_only=True, slots=True)
class Expire:
    """Give up rows that are too old to be of use."""

    lives: tuple[Live, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Wait:
    """Nothing can be done for so many seconds; None: until something changes."""

    seconds: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """Nothing is left."""


Step = Reserve | Send | Preview | Expire | Wait | Done


@dataclass(frozen=True, kw_only=True, slots=True)
class Now:
    """The moment at which a step is chosen."""

    time: datetime
    monotonic: float
    reserves: bool
    """The platform wants placeholders."""
    preview_seconds: float
    oldest: datetime
    """What is older than this is given up."""


def next_step(lives: Iterable[Live], now: Now) -> Step:
    """Say what a room's sender does next. Rows go out in order; an answer that still grows holds up nobody."""
    ordered = sorted(lives, key=lambda live: live.row.id)
    if not ordered:
        return Done()
    if expired := tuple(live for live in ordered if live.row.body is not None and live.row.created_at < now.oldest):
        return Expire(lives=expired)
    waits: list[float] = []
    for live in ordered:
        row = live.row
        wait = (row.not_before - now.time).total_seconds() if row.not_before is not None else 0.0
        if wait > 0:
            waits.append(wait)
            if row.kind is RowKind.AGAIN:
                continue
            break
        if now.reserves and not row.message_id:
            return Reserve(live=live)
        if row.body is not None:
            return Send(live=live)
    return _preview(ordered, now, waits)


def _preview(ordered: list[Live], now: Now, waits: list[float]) -> Step:
    for live in ordered:
        if not live.stale or not live.row.message_id:
            continue
        wait = live.shown_at + now.preview_seconds - now.monotonic
        if wait <= 0:
            return Preview(live=live)
        waits.append(wait)
    return Wait(seconds=min(waits) if waits else None)


def merge(known: Row, news: Row) -> Row:
    """Return a row with what both know: the database may not know yet what we posted, nor we what it stored."""
    return replace(
        news,
        message_id=known.message_id or news.message_id,
        body=news.body if news.body is not None else known.body,
        attempt=max(known.attempt, news.attempt),
        not_before=known.not_before if known.body is not None else news.not_before,
        ambiguous=known.ambiguous,
    )
