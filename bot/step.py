"""Step: one gate that an event passes on its way in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.work import Verdict

Judgement = Callable[[Event, Standing, Rules], Verdict | None]
"""Pure. None passes the event on; `Accept` passes it on with a condition; every other verdict is the last word."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One file in `bot/steps/` offers one as `STEP`."""

    name: str
    judge: Judgement
    after: tuple[str, ...] = ()
    """Steps that must have passed the event first."""
    before: tuple[str, ...] = ()
    """Steps that must not see an event that this one stops."""
