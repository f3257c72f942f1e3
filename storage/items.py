"""Items: the append-only log of a thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bot.work import StoredItem
from storage.prepared import Prepared
from storage.tables import ITEM

_b = sa.bindparam

_TAIL = Prepared(
    sa.select(ITEM.c.seq, ITEM.c.run_id, ITEM.c.kind, ITEM.c.body, ITEM.c.message_key)
    .where(ITEM.c.thread_id == _b("t"), sa.not_(ITEM.c.dropped))
    .order_by(ITEM.c.seq.desc())
    .limit(_b("n"))
)
_ADD = Prepared(sa.insert(ITEM))


def tail(connection: sa.Connection, thread_id: int, count: int) -> tuple[StoredItem, ...]:
    """Return the newest items of a thread, oldest first."""
    rows = _TAIL.all(connection, {"t": thread_id, "n": count})
    return tuple(
        StoredItem(seq=row.seq, run_id=row.run_id, kind=row.kind, body=row.body, message_key=row.message_key)
        for row in reversed(rows)
    )


def append(connection: sa.Connection, thread_id: int, run_id: int, items: Sequence[StoredItem], end: int) -> None:
    """Add items to a thread whose row the caller has locked and counted: `end` is its `next_item` afterwards."""
    if items:
        first = end - len(items)
        _ADD.many(connection, [_row(thread_id, run_id, first + place, item) for place, item in enumerate(items)])


def _row(thread_id: int, run_id: int, seq: int, item: StoredItem) -> dict[str, Any]:
    return {
        "thread_id": thread_id,
        "run_id": run_id,
        "seq": seq,
        "kind": item.kind,
        "body": item.body,
        "message_key": item.message_key,
        "dropped": False,
    }


def drop_run(connection: sa.Connection, run_id: int, kinds: Sequence[str] | None = None) -> None:
    """Take a run's items out of sight: all, or those of some kinds."""
    condition = ITEM.c.run_id == run_id
    if kinds is not None:
        condition = sa.and_(condition, ITEM.c.kind.in_(kinds))
    connection.execute(sa.update(ITEM).where(condition).values(dropped=True))
