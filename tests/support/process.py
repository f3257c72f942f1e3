"""Process: `deckhand run` as a process of its own, to be killed, stopped and started again."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.nursery import Nursery
from tests.support.until import until

SECONDS = 40.0
"""The longest wait for a start or an end, on a machine that has other things to do."""

LEASE_SECONDS = 2
PLATFORM = "telegram"


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """One installation: where its processes work."""

    nursery: Nursery
    home: Path
    api_url: str
    """Of the simulated platform."""
    database_url: str = ""
    """Empty: SQLite in `home`."""


@dataclass(slots=True)
class Process:
    """One worker of an installation."""

    site: Site
    name: str = "one"
    settings: Mapping[str, str] = field(default_factory=dict)
    pid: int = 0
    _heard_before: int = 0
    _started_before: int = 0

    @property
    def log_path(self) -> Path:
        return self.site.home / f"{self.name}.log"

    @property
    def records(self) -> list[dict[str, Any]]:
        """What all processes of this name logged so far."""
        lines = self.log_path.read_text().splitlines() if self.log_path.exists() else []
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]

    @property
    def heard(self) -> int:
        """Return how often it began to listen to the simulated platform."""
        return sum(record.get("event") == "listening" and record["platform"] == PLATFORM for record in self.records)

    @property
    def started(self) -> int:
        """Return how often it began to listen to anything: its own page, where another worker has the platform."""
        return sum(record.get("event") == "listening" for record in self.records)

    def start(self, failpoint: str = "") -> None:
        """Start it, without waiting for anything."""
        self.site.home.mkdir(parents=True, exist_ok=True)
        self._heard_before, self._started_before = self.heard, self.started
        words = ["--folder", str(self.site.home), "run"]
        self.pid = self.site.nursery.bear(words, self._environment(failpoint), self.log_path)

    async def ready(self) -> None:
        """Wait until it works or has ended before."""
        await until(lambda: not self.alive or self.started > self._started_before, SECONDS)

    async def listens(self) -> None:
        """Wait until it is the one that listens to the platform, or has ended before."""
        await until(lambda: not self.alive or self.heard > self._heard_before, SECONDS)

    @property
    def alive(self) -> bool:
        if not self.pid:
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, if it still lives."""
        if self.alive:
            os.kill(self.pid, number)

    async def died(self, seconds: float = SECONDS) -> None:
        """Wait for its end."""
        await until(lambda: not self.alive, seconds)

    async def kill(self) -> None:
        """Kill it, if it still lives."""
        self.send(signal.SIGKILL)
        await self.died()

    async def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        self.send(signal.SIGTERM)
        await self.died()

    def _environment(self, failpoint: str) -> dict[str, str]:
        return {
            "DECKHAND_HOME": str(self.site.home),
            "DECKHAND_MODEL": "scripted",
            "DECKHAND_PORT": str(_free_port()),
            "DATABASE_URL": self.site.database_url,
            "TELEGRAM_TOKEN": "4242:simulated",
            "TELEGRAM_API_URL": self.site.api_url,
            "DECKHAND__ACCESS__OPEN": "true",
            "DECKHAND__LOG__FORMAT": "json",
            # Nobody gives a run up, however often its worker dies.
            "DECKHAND__LIMITS__ATTEMPTS": "1000",
            "DECKHAND__LIMITS__MESSAGES_PER_MINUTE": "1000",
            "DECKHAND__LIMITS__ROOM_MESSAGES_PER_MINUTE": "1000",
            "DECKHAND__ADAPTERS__TELEGRAM__POSTS_PER_SECOND": "1000",
            "DECKHAND__ENGINE__NAME": self.name,
            "DECKHAND__ENGINE__LEASE_SECONDS": str(LEASE_SECONDS),
            "DECKHAND__ENGINE__FAILPOINT": failpoint,
            **self.settings,
        }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
