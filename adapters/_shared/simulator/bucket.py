"""A token bucket that says how long to wait, for simulators that enforce rates."""

from __future__ import annotations


class Bucket:
    """So many at once, refilled at a steady rate."""

    def __init__(self, *, per_second: float, burst: float, now: float) -> None:
        self._per_second = per_second
        self._burst = burst
        self._level = burst
        self._at = now

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until this amount may be taken; 0 means now."""
        self._level = min(self._burst, self._level + (now - self._at) * self._per_second)
        self._at = now
        return max(0.0, (min(amount, self._burst) - self._level) / self._per_second)

    def take(self, amount: float) -> None:
        """Take it. An amount beyond the burst leaves a debt."""
        self._level -= amount
