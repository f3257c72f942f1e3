"""Leases: who is alive, and the right to send into a room, inside whatever transaction needs them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from bot.errors import Fenced
from bot.work import Claim, RoomLease
from storage.prepared import Prepared
from storage.tables import ROOM, THREAD, WORKER

_b = sa.bindparam


def alive(owner: Any) -> Any:
    """Return the condition that a worker with this id is alive, by the database's own clock."""
    return sa.exists(
        sa.select(WORKER.c.id).where(
            WORKER.c.id == owner, sa.or_(WORKER.c.lease_until.is_(None), WORKER.c.lease_until > sa.func.now())
        )
    )


def free(table: sa.Table) -> Any:
    """Return the condition that nobody alive owns a row of a table."""
    return sa.or_(table.c.owner.is_(None), sa.not_(alive(owner_of(table))))


def owner_of(table: sa.Table) -> Any:
    """Return the owner as plain text: inside `ON CONFLICT … SET` SQLAlchemy would not correlate the column itself."""
    return sa.literal_column(f"{table.name}.owner", sa.String())


_IS_OURS = sa.or_(free(ROOM), ROOM.c.owner == _b("w"))

_TAKE_ROOM = Prepared(
    lambda insert: (
        insert(ROOM)
        .values(key=_b("k"), owner=_b("w"), fence=1, joined=_b("joined"), direct=_b("direct"), title=_b("title"))
        .on_conflict_do_update(
            index_elements=[ROOM.c.key],
            set_={
                "joined": sa.or_(ROOM.c.joined, _b("joined", type_=sa.Boolean())),
                "owner": sa.case((_IS_OURS, _b("w")), else_=ROOM.c.owner),
                "fence": sa.case(
                    (ROOM.c.owner == _b("w"), ROOM.c.fence), (free(ROOM), ROOM.c.fence + 1), else_=ROOM.c.fence
                ),
                "taken_from": sa.case((_IS_OURS, sa.func.nullif(ROOM.c.owner, _b("w"))), else_=ROOM.c.taken_from),
            },
        )
        .returning(ROOM.c.owner, ROOM.c.fence, ROOM.c.direct, ROOM.c.taken_from)
    )
)

_JOIN_ROOM = Prepared(
    lambda insert: (
        insert(ROOM)
        .values(key=_b("k"), fence=0, joined=True, direct=_b("direct"), title=_b("title"))
        .on_conflict_do_update(index_elements=[ROOM.c.key], set_={"joined": True})
    )
)


def take_room(
    connection: sa.Connection, worker: str, key: str, *, joined: bool, direct: bool = False, title: str = ""
) -> RoomLease | None:
    """Take the right to send into a room; None when another living worker has it."""
    owner, fence, is_direct, taken_from = _TAKE_ROOM.one(
        connection, {"k": key, "w": worker, "joined": joined, "direct": direct, "title": title}
    )
    if owner != worker:
        return None
    return RoomLease(room_key=key, fence=fence, direct=is_direct, taken_over=taken_from is not None)


_LOCK_ROOM = Prepared(sa.select(ROOM.c.key).where(ROOM.c.key == _b("k")).with_for_update())


def lock_room(connection: sa.Connection, key: str) -> None:
    """Lock a room before rows of its outbox: every transaction locks thread, room, outbox in this order."""
    if connection.dialect.name != "sqlite":
        _LOCK_ROOM.run(connection, {"k": key})


def join_room(connection: sa.Connection, key: str, *, direct: bool, title: str) -> None:
    """Note that the bot takes part in a room."""
    _JOIN_ROOM.run(connection, {"k": key, "direct": direct, "title": title})


_GUARD_ROOM = Prepared(
    sa.select(ROOM.c.key)
    .where(ROOM.c.key == _b("k"), ROOM.c.owner == _b("w"), ROOM.c.fence == _b("f"))
    .with_for_update()
)


def guard_room(connection: sa.Connection, worker: str, lease: RoomLease) -> None:
    """Refuse to go on unless the room is still ours; first statement of every transaction about a room."""
    if _GUARD_ROOM.first(connection, {"k": lease.room_key, "w": worker, "f": lease.fence}) is None:
        raise Fenced(f"room {lease.room_key}")


_GUARD_THREAD = Prepared(
    sa.select(THREAD.c.id)
    .where(THREAD.c.id == _b("t"), THREAD.c.owner == _b("w"), THREAD.c.fence == _b("f"))
    .with_for_update()
)


def guard_thread(connection: sa.Connection, worker: str, claim: Claim) -> None:
    """Refuse to go on unless the thread is still ours; first statement of every transaction about a run."""
    if _GUARD_THREAD.first(connection, {"t": claim.thread_id, "w": worker, "f": claim.fence}) is None:
        raise Fenced(f"thread {claim.thread_id}")


CHANNEL = "deckhand"

_HINT = Prepared(sa.select(sa.func.pg_notify(CHANNEL, _b("what", type_=sa.String()))))


def hint(connection: sa.Connection, what: str) -> None:
    """Tell other workers, after the commit, that there is work: `work`, or `room:<key>`. They poll all the same."""
    if connection.dialect.name == "postgresql":
        _HINT.run(connection, {"what": what})
