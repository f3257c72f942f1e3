"""Locker: a second process that holds a SQLite file's write lock for a while."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


async def hold(path: Path, seconds: float) -> asyncio.subprocess.Process:
    """Start the process and return it as soon as it has the lock."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.locker", str(path), str(seconds)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"locked\n"
    return process


def main(path: str, seconds: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    connection.execute("BEGIN IMMEDIATE")
    print("locked", flush=True)
    time.sleep(float(seconds))
    connection.execute("ROLLBACK")


if __name__ == "__main__":
    main(*sys.argv[1:])
