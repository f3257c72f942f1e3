"""Threads: which one a room talks in, and the row that orders everything in it."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from storage.prepared import Prepared
from storage.tables import INBOX, RUN, THREAD, TOPIC

_b = sa.bindparam

_FIND = Prepared(sa.select(TOPIC.c.thread_id).where(TOPIC.c.room_key == _b("k"), TOPIC.c.person_id == _b("p")))
_ADD = Prepared(
    sa.insert(THREAD).values(ready_at=_b("now"), next_seq=0, next_item=0, pending=0, fence=0).returning(THREAD.c.id)
)
_ADD_TOPIC = Prepared(
    lambda insert: (
        insert(TOPIC)
        .values(room_key=_b("k"), person_id=_b("p"), thread_id=_b("t"))
        .on_conflict_do_nothing()
        .returning(TOPIC.c.thread_id)
    )
)


def find_thread(connection: sa.Connection, room_key: str, person_id: int) -> int | None:
    """Return the thread that a room talks in now, None when it has none."""
    found = _FIND.scalar(connection, {"k": room_key, "p": person_id})
    return None if found is None else int(found)


def thread_of(connection: sa.Connection, room_key: str, person_id: int, now: datetime) -> int:
    """Return the thread that a room talks in, made now when it has none."""
    found = find_thread(connection, room_key, person_id)
    if found is not None:
        return found
    thread_id = _ADD.scalar(connection, {"now": now})
    added = _ADD_TOPIC.scalar(connection, {"k": room_key, "p": person_id, "t": thread_id})
    if added is None:
        # Another transaction made the topic while we waited for it; its thread stands.
        connection.execute(sa.delete(THREAD).where(THREAD.c.id == thread_id))
        return int(_FIND.scalar(connection, {"k": room_key, "p": person_id}))
    return int(thread_id)


def new_thread(connection: sa.Connection, old_id: int, above_seq: int, now: datetime) -> int:
    """Give the rooms of a thread a fresh one, and move there what waits behind `above_seq`; return its id.

    The old thread's row must be locked by the caller. Sequence numbers are kept, so the new thread goes on with them.
    """
    old = connection.execute(sa.select(THREAD.c.next_seq, THREAD.c.agent).where(THREAD.c.id == old_id)).one()
    new_id: int = _ADD.scalar(connection, {"now": now})
    behind = sa.and_(RUN.c.thread_id == old_id, RUN.c.seq > above_seq, RUN.c.status == "queued")
    moved = connection.execute(sa.update(RUN).where(behind).values(thread_id=new_id)).rowcount
    connection.execute(
        sa.update(INBOX).where(INBOX.c.thread_id == old_id, INBOX.c.seq > above_seq).values(thread_id=new_id)
    )
    connection.execute(
        sa.update(THREAD).where(THREAD.c.id == new_id).values(next_seq=old.next_seq, agent=old.agent, pending=moved)
    )
    connection.execute(sa.update(THREAD).where(THREAD.c.id == old_id).values(pending=THREAD.c.pending - moved))
    connection.execute(sa.update(TOPIC).where(TOPIC.c.thread_id == old_id).values(thread_id=new_id))
    return new_id
