"""The disk: what one commit costs here, whatever the program."""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path
from time import perf_counter

TIMES = 100
BYTES = 4096


def commit_ms(folder: Path) -> float:
    """Return the median time to append a page to a file and have the disk keep it."""
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        took = []
        for _ in range(TIMES):
            began = perf_counter()
            os.write(file.fileno(), b"x" * BYTES)
            os.fdatasync(file.fileno())
            took.append(perf_counter() - began)
    return statistics.median(took) * 1000
