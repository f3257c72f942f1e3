"""A plugin: one PostgreSQL server for all tests of a session that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.postgres import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.stop()
