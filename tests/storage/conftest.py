"""Stores on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage.database import Database
from storage.postgres import PostgresDatabase
from storage.sqlite import SqliteDatabase


@pytest.fixture(params=["sqlite", "postgres"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """An open, empty database."""
    opened: Database
    if request.param == "sqlite":
        opened = SqliteDatabase(tmp_path / "test.db")
    else:
        opened = PostgresDatabase(await request.getfixturevalue("cluster").fresh())
    yield opened
    await opened.close()
