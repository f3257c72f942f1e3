"""The engine on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from adapters.telegram.simulator import TelegramSimulator
from storage.database import Database
from storage.postgres import PostgresDatabase
from storage.sqlite import SqliteDatabase
from tests.support.nursery import Nursery
from tests.support.paper import Desk
from tests.support.postgres import Cluster
from tests.support.process import Site
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


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture
async def simulator() -> AsyncIterator[TelegramSimulator]:
    simulator = TelegramSimulator(rate_limits=False)
    await simulator.start()
    yield simulator
    await simulator.stop()


@pytest.fixture
def site(nursery: Nursery, simulator: TelegramSimulator, tmp_path: Path) -> Iterator[Site]:
    """An installation on SQLite."""
    yield Site(nursery=nursery, home=tmp_path, api_url=simulator.url)
    nursery.clear()


@pytest.fixture
async def shared_site(
    nursery: Nursery, simulator: TelegramSimulator, tmp_path: Path, cluster: Cluster
) -> AsyncIterator[Site]:
    """An installation on PostgreSQL."""
    yield Site(nursery=nursery, home=tmp_path, api_url=simulator.url, database_url=await cluster.fresh())
    nursery.clear()
