"""Chore: one thing that keeps the house in order, and how often."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.ports import Upkeep


@dataclass(frozen=True, kw_only=True, slots=True)
class House:
    """What a chore works on."""

    upkeep: Upkeep
    now: datetime
    keep_days: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Chore:
    """A file in `scheduler/chores/` offers one as `CHORE`."""

    name: str
    every: timedelta
    run: Callable[[House], Awaitable[None]]
    """Doing it twice, or on two replicas at once, does no harm."""
