"""Retention on both databases: old payloads go, dedupe keys and the conversation stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from scheduler.chores.retention import CHORE
from scheduler.ticker import Ticker
from storage.tables import INBOX, ITEM, OUTBOX
from storage.upkeep import SqlUpkeep
from tests.engine.conftest import desk, opener, world  # noqa: F401  (fixtures)
from tests.support.world import World, an_event


class Later:
    """A clock that is months ahead."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(days=100)

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        return None


def _counts(connection: sa.Connection, _: None) -> tuple[int, int, int]:
    payloads = sa.select(sa.func.count()).select_from(INBOX).where(INBOX.c.payload != "")
    rows = sa.select(sa.func.count()).select_from(OUTBOX)
    items = sa.select(sa.func.count()).select_from(ITEM)
    return tuple(connection.execute(query).scalar_one() for query in (payloads, rows, items))  # type: ignore[return-value]


async def test_what_is_old_is_forgotten_and_a_redelivery_stays_silent(world: World) -> None:  # noqa: F811
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    ticker = Ticker([CHORE], SqlUpkeep(world.database), Later(), keep_days=90)
    await ticker.do(CHORE)
    assert await world.database.read(_counts, None) == (0, 0, 2)
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert world.watch.counts["received.seen_before"] == 1


async def test_what_is_young_stays(world: World) -> None:  # noqa: F811
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    ticker = Ticker([CHORE], SqlUpkeep(world.database), world.clock, keep_days=90)
    await ticker.do(CHORE)
    assert await world.database.read(_counts, None) == (1, 1, 2)
