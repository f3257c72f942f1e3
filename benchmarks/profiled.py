"""`python -m benchmarks.profiled FOLDER …`: the bot, with a profile of each thread's CPU.

SIGUSR1 begins, SIGUSR2 writes `FOLDER/loop.txt` and `FOLDER/writer.txt`. Profiling costs about as much again as what
it measures, so its shares count, not its seconds.
"""

from __future__ import annotations

import cProfile
import pstats
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

FIRST_ARGUMENT = 2
LINES = 60
WRITER = "db-write"


class Taken:
    """The figures of a profile that goes on: only its own thread may end it."""

    def __init__(self, profile: cProfile.Profile) -> None:
        profile.snapshot_stats()
        self.stats = profile.stats

    def create_stats(self) -> None:
        """What `pstats` asks for first."""


class Profiles:
    """One profile for the event loop's thread and one for the database writer's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loop = cProfile.Profile(time.thread_time)
        self._writer: cProfile.Profile | None = None

    def begin(self, _signal: int, _frame: Any) -> None:
        self._loop.enable()

    def watch_threads(self, *_event: Any) -> None:
        """Called by each new thread at its first step; only the writer keeps a profile."""
        sys.setprofile(None)
        if threading.current_thread().name == WRITER:
            self._writer = cProfile.Profile(time.thread_time)
            self._writer.enable()

    def write(self, _signal: int, _frame: Any) -> None:
        self._loop.disable()
        self._folder.mkdir(parents=True, exist_ok=True)
        self._print(self._loop, "loop")
        if self._writer is not None:
            self._print(self._writer, "writer")

    def _print(self, profile: cProfile.Profile, name: str) -> None:
        with (self._folder / f"{name}.txt").open("w") as file:
            stats = pstats.Stats(Taken(profile), stream=file)  # type: ignore[arg-type]
            stats.sort_stats("tottime").print_stats(LINES)
            stats.sort_stats("cumulative").print_stats(LINES)


def main() -> None:
    profiles = Profiles(Path(sys.argv[1]))
    signal.signal(signal.SIGUSR1, profiles.begin)
    signal.signal(signal.SIGUSR2, profiles.write)
    threading.setprofile(profiles.watch_threads)
    from bot.console import call

    sys.exit(call(sys.argv[FIRST_ARGUMENT:]))


if __name__ == "__main__":
    main()
