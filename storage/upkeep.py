"""Upkeep: forget what is old. Dedupe keys and the conversation itself are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from storage.database import Database
from storage.tables import DECISION, INBOX, OUTBOX, RUN, RUN_STEP

AT_ONCE = 1000
"""Ids in one transaction, so that nobody waits long behind it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Portion:
    """A stretch of ids, walked through by the primary key: ids grow with time."""

    before: datetime
    after: int
    """The last id that was looked at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pruned:
    """What became of a portion."""

    rows: int
    """How many rows went or were emptied."""
    last: int | None
    """The last id that was looked at; None where everything further is young."""


def prune_inbox(connection: sa.Connection, portion: Portion) -> Pruned:
    """Empty old payloads; the row stays, so that a redelivery is still known."""
    last = _reach(connection, INBOX, INBOX.c.received_at, portion)
    if last is None:
        return Pruned(rows=0, last=None)
    old = sa.and_(_within(INBOX.c.id, portion, last), INBOX.c.done, INBOX.c.payload != "")
    emptied = connection.execute(sa.update(INBOX).where(old).values(payload="")).rowcount
    return Pruned(rows=emptied, last=last)


def prune_outbox(connection: sa.Connection, portion: Portion) -> Pruned:
    """Forget old deliveries that are over."""
    last = _reach(connection, OUTBOX, OUTBOX.c.created_at, portion)
    if last is None:
        return Pruned(rows=0, last=None)
    over = sa.and_(_within(OUTBOX.c.id, portion, last), OUTBOX.c.status.not_in(("open", "pending")))
    return Pruned(rows=connection.execute(sa.delete(OUTBOX).where(over)).rowcount, last=last)


def prune_runs(connection: sa.Connection, portion: Portion) -> Pruned:
    """Forget the steps and the journal of old runs; the run's own row stays."""
    last = _reach(connection, RUN, RUN.c.created_at, portion)
    if last is None:
        return Pruned(rows=0, last=None)
    ended = sa.select(RUN.c.id).where(_within(RUN.c.id, portion, last), RUN.c.ended_at < portion.before)
    rows = 0
    for table in (RUN_STEP, DECISION):
        rows += connection.execute(sa.delete(table).where(table.c.run_id.in_(ended))).rowcount
    return Pruned(rows=rows, last=last)


def _within(column: sa.ColumnElement[int], portion: Portion, last: int) -> sa.ColumnElement[bool]:
    return sa.and_(column > portion.after, column <= last)


def _reach(
    connection: sa.Connection, table: sa.Table, time: sa.ColumnElement[datetime], portion: Portion
) -> int | None:
    """Return the last old id of a portion, None where it begins with a young one or nothing."""
    stretch = sa.select(table.c.id, time).where(table.c.id > portion.after).order_by(table.c.id).limit(AT_ONCE)
    last = None
    for row_id, at in connection.execute(stretch):
        if at >= portion.before:
            break
        last = row_id
    return last


Prune = Callable[[sa.Connection, Portion], Pruned]


class SqlUpkeep:
    """`scheduler.ports.Upkeep` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def prune(self, before: datetime) -> int:
        return sum([await self._walk(prune, before) for prune in (prune_inbox, prune_outbox, prune_runs)])

    async def _walk(self, prune: Prune, before: datetime) -> int:
        rows, last = 0, 0
        while True:
            pruned = await self._database.write(prune, Portion(before=before, after=last))
            rows += pruned.rows
            if pruned.last is None:
                return rows
            last = pruned.last
