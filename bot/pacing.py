"""Pacing: token buckets that say how long to wait. No clock of their own."""

from __future__ import annotations


class Bucket:
    """Lets `rate` things through per second, and `burst` at once. A rate of 0 lets everything through."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = max(burst, 1.0)
        self._left = self._burst
        self._at: float | None = None

    def delay(self, now: float, *, spare: float = 0.0) -> float:
        """Return the seconds until one thing may pass and `spare` more could."""
        if self._rate <= 0:
            return 0.0
        self._refill(now)
        missing = 1.0 + spare - self._left
        return max(0.0, missing / self._rate)

    def take(self, now: float) -> None:
        """Count one thing that passes now."""
        if self._rate > 0:
            self._refill(now)
            self._left -= 1.0

    def _refill(self, now: float) -> None:
        if self._at is not None:
            self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
