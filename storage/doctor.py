"""Doctor: whether the database answers, and whether it fits this program. Reads only, also beside a running bot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import asyncpg
import sqlalchemy as sa

from bot.errors import StartError, StorageBusy
from bot.settings import Settings
from storage import migrate
from storage.database import Database
from storage.opened import sqlite_path
from storage.postgres import PostgresDatabase
from storage.sqlite import SqliteDatabase

ANSWER_SECONDS = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Revisions:
    """How far a database was migrated, and how far this program wants it."""

    stored: str | None
    """None where nothing was created yet."""
    wanted: str


async def examine(settings: Settings, *, seconds: float = ANSWER_SECONDS) -> Revisions:
    """Ask the database of the settings; raises `StartError` when it does not answer."""
    on_server = settings.database_url.startswith("postgres")
    if not on_server and not await asyncio.to_thread(sqlite_path(settings).exists):
        return Revisions(stored=None, wanted=migrate.head())
    database: Database
    database = (
        PostgresDatabase(settings.database_url) if on_server else SqliteDatabase(sqlite_path(settings), lock=False)
    )
    try:
        async with asyncio.timeout(seconds):
            stored = await database.read(_stored, None)
    except TimeoutError as error:
        raise StartError(f"the database did not answer in {seconds:g} s") from error
    except (sa.exc.SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, StorageBusy) as error:
        # Only the class: a driver's words may repeat the address with its password.
        raise StartError(f"the database did not answer ({type(error).__name__})") from error
    finally:
        await database.close()
    return Revisions(stored=stored, wanted=migrate.head())


def _stored(connection: sa.Connection, _: None) -> str | None:
    return migrate.current(connection)
