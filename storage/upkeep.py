"""Upkeep: forget what is old. Dedupe keys and the conversation itself are kept."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from storage.database import Database
from storage.tables import DECISION, INBOX, OUTBOX, RUN, RUN_STEP

AT_ONCE = 500
"""Rows in one transaction, so that nobody waits long behind it."""

_ENDED = ("done", "failed", "cancelled")


def prune(connection: sa.Connection, before: datetime) -> int:
    """Forget a portion of what ended before a time; return how many rows went or were emptied, 0 when none is left."""
    runs = sa.select(RUN.c.id).where(RUN.c.status.in_(_ENDED), RUN.c.ended_at < before)
    count = 0
    for table in (RUN_STEP, DECISION):
        old = sa.select(table.c.run_id, table.c.step_key).where(table.c.run_id.in_(runs)).limit(AT_ONCE)
        for run_id, step_key in connection.execute(old).all():
            connection.execute(sa.delete(table).where(table.c.run_id == run_id, table.c.step_key == step_key))
            count += 1
    sent = sa.select(OUTBOX.c.id).where(OUTBOX.c.status.not_in(("open", "pending")), OUTBOX.c.created_at < before)
    count += connection.execute(sa.delete(OUTBOX).where(OUTBOX.c.id.in_(sent.limit(AT_ONCE)))).rowcount
    read = sa.select(INBOX.c.id).where(INBOX.c.done, INBOX.c.received_at < before, INBOX.c.payload != "")
    emptied = sa.update(INBOX).where(INBOX.c.id.in_(read.limit(AT_ONCE))).values(payload="")
    return count + connection.execute(emptied).rowcount


class SqlUpkeep:
    """`scheduler.ports.Upkeep` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def prune(self, before: datetime) -> int:
        total = 0
        while count := await self._database.write(prune, before):
            total += count
        return total
