"""The engine on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from storage.database import Database
from storage.postgres import PostgresDatabase
from storage.sqlite import SqliteDatabase
from tests.support.paper import Desk
from tests.support.world import World

Opener = Callable[[], Database]


@pytest.fixture(params=["sqlite", "postgres"])
async def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """A function that opens the test's database, as often as it is called."""
    if request.param == "sqlite":
        return lambda: SqliteDatabase(tmp_path / "test.db")
    url = await request.getfixturevalue("cluster").fresh()
    return lambda: PostgresDatabase(url)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
async def world(opener: Opener, desk: Desk) -> AsyncIterator[World]:
    world = World(opener(), desk)
    await world.start()
    yield world
    await world.stop()


Make = Callable[[], Awaitable[World]]
