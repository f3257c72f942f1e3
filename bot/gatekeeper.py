"""Gatekeeper: makes an event ready for the transaction, and learns from what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from bot import texts
from bot.clock import Clock
from bot.events import Event
from bot.gates import gates
from bot.limiter import Limiter
from bot.rules import Pace, Rules, shortened
from bot.work import Answer, Drop, Ingested, Judge, Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """An event ready for the transaction."""

    event: Event
    """As it shall be stored: within the limit of its text."""
    judge: Judge
    pace: Pace


class Gatekeeper:
    """Stands before the transactions of one account of ours."""

    def __init__(self, rules: Rules, limiter: Limiter, clock: Clock) -> None:
        self._rules = rules
        self._limiter = limiter
        self._clock = clock

    def ready(self, event: Event) -> Entry:
        """Count the event, cut what is too long and return it with the judge for this very moment."""
        pace = self._limiter.take(event, self._clock.monotonic())
        event, cut_from = shortened(event, self._rules.limits)
        rules = self._rules.at(self._clock.now(), pace=pace, cut_from=cut_from)
        return Entry(event=event, judge=gates(rules), pace=pace)

    def settle(self, entry: Entry, done: Ingested | None) -> None:
        """Uncount what came to nothing; None where nothing was written."""
        if done is None:
            self._limiter.settle(entry.event, entry.pace, None)
        else:
            self._limiter.settle(entry.event, entry.pace, done.fate, done.because)

    def apology(self, event: Event) -> Verdict:
        """Return what becomes of an event that broke us: it is kept, and whoever spoke to us is told."""
        if event.direct or event.mentions_bot:
            return Answer(parts=self._rules.say(texts.APOLOGY), because="failed")
        return Drop(because="failed")
