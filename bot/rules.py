"""Rules: the frozen facts that gates need to judge an event, so that they need nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bot import texts
from bot.command import Command, Found
from bot.events import Event
from bot.people import Role
from bot.replies import Part
from bot.settings import Access, Limits

REFUSED = "not allowed"
"""Why a stranger was answered."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """What the limiter found before the transaction."""

    wait_seconds: float = 0.0
    """How much later the event may run."""
    notice: bool = False
    """The wait has not been told yet."""
    room: bool = False
    """The room is over its limit, not the person."""
    bot_capped: bool = False
    """Other bots have said here what they may."""
    refused_lately: bool = False
    """This account was turned away a short while ago."""
    charged_at: float | None = None
    """When it was counted, in monotonic seconds; None where it does not count."""


UNHURRIED = Pace()


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """What an account of ours goes by; `at` adds what is true of one event only."""

    access: Access
    limits: Limits
    say: Callable[[str], tuple[Part, ...]]
    """Render a text for the platform."""
    find_command: Callable[[str], Found | None]
    commands: Mapping[str, Command]
    account: str = ""
    """Our own id at the platform."""
    now: datetime
    pace: Pace = UNHURRIED
    cut_from: int = 0
    """How long the event's text was before it was cut; 0 where it was not."""

    def at(self, now: datetime, *, pace: Pace = UNHURRIED, cut_from: int = 0) -> Rules:
        """Return the rules for one event."""
        return replace(self, now=now, pace=pace, cut_from=cut_from)


def admitted_as(event: Event, access: Access) -> Role | None:
    """Return the role that an unknown account gets on the spot, None where it gets none."""
    if not access.open or (event.author.is_bot and not access.bots):
        return None
    return Role.MEMBER


def shortened(event: Event, limits: Limits) -> tuple[Event, int]:
    """Return the event with its text within the limit and a mark where it was cut, and its length before, else 0."""
    total = len(event.text)
    if total <= limits.text_characters:
        return event, 0
    return replace(event, text=event.text[: limits.text_characters] + texts.cut_mark(total)), total
