"""Bots: start, stop and watch the processes that are compared."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.procs import Use, use
from benchmarks.stubs import TOKEN, Stubs

ROOT = Path(__file__).parents[1]
STOP_SECONDS = 30.0


@dataclass(slots=True)
class Bot:
    """One program under measurement."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    extra: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=_clean() | dict(self.environment) | self.extra,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def pid(self) -> int:
        assert self.process is not None, "start() comes first"
        return self.process.pid

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def use(self, *, memory: bool = False) -> Use:
        return use(self.pid, memory=memory)

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def stop(self) -> None:
        """Ask it to end, and insist."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _clean() -> dict[str, str]:
    """Return the environment without what could configure a bot, or lead it off the machine."""
    kept = ("PATH", "HOME", "LANG", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "TMPDIR")
    return {name: value for name, value in os.environ.items() if name in kept}


def bare(stubs: Stubs, work: Path) -> Bot:
    """Return the bare bot."""
    return Bot("bare", [sys.executable, "-m", "benchmarks.bare"], _shared(stubs), work / "bare.log")


def deckhand(
    stubs: Stubs, work: Path, *, database: str = "", command: Sequence[str] = (), profile: Path | None = None
) -> Bot:
    """Return ours, as `target.json` starts it too: open to everyone, with no pace, for the stub has no limits."""
    program = ["benchmarks.profiled", str(profile)] if profile is not None else ["bot"]
    environment = {
        **_shared(stubs),
        "DECKHAND_HOME": str(work / "home"),
        "DECKHAND_PORT": str(_free_port()),
        "DECKHAND_MODEL": "openai/bench",
        "OPENAI_API_KEY": "bench",
        "DECKHAND__ACCESS__OPEN": "true",
        "DECKHAND__ADAPTERS__TELEGRAM__POSTS_PER_SECOND": "0",
        "DECKHAND__LIMITS__MESSAGES_PER_MINUTE": "1000000",
        "DECKHAND__LIMITS__ROOM_MESSAGES_PER_MINUTE": "1000000",
    }
    if database:
        environment["DATABASE_URL"] = database
    return Bot(
        "deckhand",
        list(command) or [sys.executable, "-m", *program, "--folder", str(work), "run"],
        environment,
        work / "deckhand.log",
    )


def _shared(stubs: Stubs) -> dict[str, str]:
    return {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": stubs.url, "OPENAI_BASE_URL": f"{stubs.url}/v1"}


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
