"""Throttle: how often somebody may try a code."""

from __future__ import annotations

from collections import deque

from adapters.web import facts
from bot.clock import Clock

_ALL = ""
"""Counts the tries from everywhere, so that many addresses do not help."""


class Throttle:
    """Counts tries by where they come from; right ones are taken back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tries: dict[str, deque[float]] = {}

    def attempt(self, source: str) -> float:
        """Count a try and return 0, or return the seconds to wait for the next one."""
        now = self._clock.monotonic()
        self._forget(now)
        for name, limit in ((source, facts.WRONG_CODES), (_ALL, facts.WRONG_CODES_OF_ALL)):
            tries = self._tries.get(name, deque())
            if len(tries) >= limit:
                return max(tries[0] + facts.WRONG_CODE_SECONDS - now, 1.0)
        for name in (source, _ALL):
            self._tries.setdefault(name, deque()).append(now)
        return 0.0

    def forgive(self, source: str) -> None:
        """Take the last try back: it was right."""
        for name in (source, _ALL):
            if self._tries.get(name):
                self._tries[name].pop()

    def _forget(self, now: float) -> None:
        for name, tries in list(self._tries.items()):
            while tries and tries[0] <= now - facts.WRONG_CODE_SECONDS:
                tries.popleft()
            if not tries:
                del self._tries[name]
