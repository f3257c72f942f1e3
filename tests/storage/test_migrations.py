"""Migrations: what they make is what the tables say, on both databases."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

import storage.page_tables
import storage.tables  # noqa: F401  (the tables register themselves)
from bot.errors import StartError
from storage import migrate
from storage.database import Database


def differences(connection: sa.Connection, _: None) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), SQLModel.metadata))


async def test_the_migrated_schema_is_the_declared_one(database: Database) -> None:
    await database.migrate()
    assert await database.read(differences, None) == []


async def test_migrating_twice_does_nothing(database: Database) -> None:
    assert await database.migrate() is True
    assert await database.migrate() is False


async def test_replicas_that_start_together_migrate_once(database: Database) -> None:
    if database.exclusive:
        pytest.skip("one process has a SQLite file for itself")
    assert sorted(await asyncio.gather(*(database.migrate() for _ in range(4)))) == [False, False, False, True]


def pretend_newer(connection: sa.Connection, _: None) -> None:
    connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))


async def test_a_newer_database_is_refused_with_the_cure(database: Database) -> None:
    await database.migrate()
    await database.write(pretend_newer, None)
    with pytest.raises(StartError, match="9999, newer than this program's"):
        await database.migrate()


def test_the_head_is_named_by_its_file() -> None:
    assert migrate.head() == "0001"
