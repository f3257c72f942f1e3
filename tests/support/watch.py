"""A `Watch` that remembers what it was told."""

from __future__ import annotations

from collections import Counter


class Tally:
    """Counts by name, for tests to read."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def received(self, platform: str, fate: str) -> None:
        self.counts[f"received.{fate}"] += 1

    def ran(self, seconds: float) -> None:
        self.counts["ran"] += 1

    def delivered(self, platform: str, seconds: float) -> None:
        self.counts["delivered"] += 1

    def failed(self, platform: str, kind: str) -> None:
        self.counts[f"failed.{kind}"] += 1
