"""Nursery: a process that has loaded everything and forks one worker an order, so that hundreds of starts are cheap.

Each worker is a process of its own that does what `deckhand` does with the same words. An order is one line of JSON on
standard input; the answer is the worker's process id.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class Nursery:
    """The process, seen from the tests."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.nursery"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._born: set[int] = set()

    def bear(self, words: Sequence[str], environment: Mapping[str, str], log: Path) -> int:
        """Start a worker and return its process id."""
        order = {"words": list(words), "environment": dict(environment), "log": str(log)}
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline())
        self._born.add(pid)
        return pid

    def clear(self) -> None:
        """Kill what a test left alive."""
        for pid in self._born:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._born.clear()

    def close(self) -> None:
        self._process.communicate()


LOADED = (
    *("alembic.command", "asyncpg", "uvloop", "telegram.ext"),
    *("bot.console.run", "bot.console._serving", "bot.console._reading", "bot.assembly"),
    *("adapters.telegram.connection", "adapters.web.connection", "agent.models.scripted"),
)
"""What a worker imports when it starts, each before it is needed."""


def load() -> None:
    """Import what a worker needs."""
    for name in LOADED:
        importlib.import_module(name)
    platforms = importlib.import_module("bot.console._catalogue").platforms
    platforms()


def main() -> None:
    """Fork until the orders end."""
    load()
    # The dead need no burial: whoever ordered them asks the system whether they live.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            work(json.loads(line))
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def work(order: Mapping[str, Any]) -> None:
    """Be a worker until the end of the process."""
    from bot.console import call

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in ((0, nothing), (1, log), (2, log)):
        os.dup2(source, target)
    code = 1
    try:
        code = call(order["words"], environment=order["environment"])
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
