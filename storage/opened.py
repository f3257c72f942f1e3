"""Opening: from settings to a database that is up to date, locked, and known to be ours."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.errors import StartError
from bot.settings import Settings
from storage.claims import Terms
from storage.database import Database
from storage.engine import SqlEngine
from storage.marks import NewMark, mark_once
from storage.people import People
from storage.postgres import PostgresDatabase, plain_url
from storage.sqlite import SqliteDatabase
from storage.workers import Boot, Heartbeat, Workers, new_worker_id


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """An open storage, as one worker."""

    database: Database
    worker: str
    engine: SqlEngine
    people: People
    workers: Workers
    heartbeat: Heartbeat | None

    async def close(self) -> None:
        """Let go of everything that is ours, then of the database."""
        if self.heartbeat is not None:
            await self.heartbeat.stop()
        await self.workers.leave(self.worker)
        await self.database.close()


def connect(settings: Settings) -> Database:
    """Open the database that the settings name; on SQLite this takes its lock, or raises `StartError`."""
    if settings.database_url.startswith("postgres"):
        return PostgresDatabase(settings.database_url)
    return SqliteDatabase(sqlite_path(settings))


def sqlite_path(settings: Settings) -> Path:
    """Return where the SQLite file lies."""
    _, _, path = settings.database_url.partition(":///")
    return settings.home / (path or "deckhand.db")


REAL, SIMULATED = "real", "simulated"

_MIXED = {
    REAL: "simulated people are in this database, so real ones must not: use another DECKHAND_HOME",
    SIMULATED: "real people are in this database, so simulated ones must not: use another DECKHAND_HOME",
}


async def open_storage(
    settings: Settings, *, version: str, reserving: frozenset[str], lost: Callable[[], None], people: str = REAL
) -> Opened:
    """Open the storage as a new worker. `lost` is called when our lease could not be renewed in time.

    `people` is REAL or SIMULATED; a database never holds both, or `StartError`.
    """
    database = connect(settings)
    await database.migrate()
    if await database.write(mark_once, NewMark(name="people", value=people)) != people:
        await database.close()
        raise StartError(_MIXED[people])
    name = settings.engine.name or socket.gethostname()
    worker = new_worker_id(name)
    workers = Workers(database)
    seconds = None if database.exclusive else settings.engine.lease_seconds
    await workers.boot(Boot(id=worker, name=name, version=version, lease_seconds=seconds, alone=database.exclusive))
    heartbeat = None
    if seconds is not None:
        heartbeat = Heartbeat(plain_url(settings.database_url), worker, seconds, lost)
        heartbeat.start()
    terms = Terms(worker=worker, version=version, window_items=settings.limits.window_items, reserving=reserving)
    return Opened(
        database=database,
        worker=worker,
        engine=SqlEngine(database, terms, runs_per_claim=settings.limits.runs_per_claim),
        people=People(database),
        workers=workers,
        heartbeat=heartbeat,
    )
