"""Deliveries: take rooms with waiting rows, and store what became of each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.errors import Fenced
from bot.events import Room
from bot.work import Delivered, Mark, RoomLease, RoomWork, Row, RowKind
from storage import outbox
from storage.leases import alive, guard_room, lock_room, owner_of, take_room
from storage.outbox import ROW_COLUMNS, part_json, row_of
from storage.prepared import Prepared
from storage.tables import ALIAS, OUTBOX, ROOM

_b = sa.bindparam

ROOMS_AT_ONCE = 200
ROWS_AT_ONCE = 100

_WAITING = sa.text("outbox.status IN ('open', 'pending')")
"""As the partial index says it, so that the planner finds it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeRooms:
    """Take rooms with rows that are due: these, or with None whatever nobody alive holds."""

    worker: str
    room_keys: Sequence[str] | None
    now: datetime


_DUE = Prepared(
    sa.select(OUTBOX.c.room_key)
    .distinct()
    .select_from(OUTBOX.outerjoin(ROOM, ROOM.c.key == OUTBOX.c.room_key))
    .where(
        _WAITING,
        OUTBOX.c.status == "pending",
        sa.or_(OUTBOX.c.next_at.is_(None), OUTBOX.c.next_at <= _b("now", type_=OUTBOX.c.next_at.type)),
        sa.or_(ROOM.c.owner.is_(None), sa.not_(alive(owner_of(ROOM)))),
    )
    .limit(ROOMS_AT_ONCE)
)
_ROWS = Prepared(
    sa.select(*ROW_COLUMNS).where(OUTBOX.c.room_key == _b("k"), _WAITING).order_by(OUTBOX.c.id).limit(ROWS_AT_ONCE)
)


def take_rooms(connection: sa.Connection, take: TakeRooms) -> list[RoomWork]:
    """Claim rooms and return their waiting rows; a row that an earlier holder may have sent is ambiguous."""
    keys: Sequence[str] = (
        take.room_keys
        if take.room_keys is not None
        else [row.room_key for row in _DUE.all(connection, {"now": take.now})]
    )
    work = []
    for key in sorted(keys):
        lease = take_room(connection, take.worker, key, joined=False)
        if lease is None:
            continue
        rows = _ROWS.all(connection, {"k": key})
        work.append(RoomWork(lease=lease, rows=tuple(row_of(row, ambiguous=True) for row in rows)))
    return work


_ADD_ALIAS = Prepared(
    lambda insert: insert(ALIAS).values(message_key=_b("m"), room_key=_b("k")).on_conflict_do_nothing()
)

_MARK = Prepared(
    sa.update(OUTBOX)
    .where(OUTBOX.c.id == _b("row"))
    .values(
        status=sa.case((_b("keep", type_=sa.Boolean()), OUTBOX.c.status), else_=_b("new_status")),
        platform_message_id=_b("message"),
        attempt=_b("tries"),
        next_at=_b("at", type_=OUTBOX.c.next_at.type),
        error=_b("problem"),
    )
    .returning(OUTBOX.c.room_key)
)
_NEW_BODY = Prepared(
    sa.update(OUTBOX).where(OUTBOX.c.id == _b("row")).values(body=_b("text", type_=OUTBOX.c.body.type))
)
_LEFT = sa.exists(sa.select(OUTBOX.c.id).where(OUTBOX.c.room_key == _b("k"), _WAITING, OUTBOX.c.id != _b("marked")))
_RELEASE = Prepared(
    sa.update(ROOM)
    .where(ROOM.c.key == _b("k"), ROOM.c.owner == _b("w"), ROOM.c.fence == _b("f"))
    .values(owner=sa.case((_LEFT, ROOM.c.owner), else_=None))
    .returning(ROOM.c.owner)
)
"""Guard and release in one statement: no row means that the room is not ours."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """What this worker did in a room that it holds."""

    worker: str
    delivered: Delivered


def delivered(connection: sa.Connection, report: Report) -> list[Row]:
    """Store what became of rows, and return rows that were added."""
    value = report.delivered
    release = value.release and value.again_at is None and not value.notices
    left: list[Row] = []
    if release and len(value.marks) == 1:
        left = _release(connection, report, value.marks[0].row_id)
    else:
        guard_room(connection, report.worker, value.lease)
    for mark in value.marks:
        _mark(connection, value.lease, mark)
    if release and len(value.marks) != 1:
        left = _release(connection, report, 0)
    added = _again(connection, value)
    if value.notices:
        first = value.marks[0].row_id if value.marks else 0
        added += outbox.add_parts(
            connection,
            value.notices,
            outbox.Say(key=f"notice{first}", room_key=value.lease.room_key, anchor="", now=value.now),
        )
    return [*left, *added]


def _release(connection: sa.Connection, report: Report, marked: int) -> list[Row]:
    """Let the room go, unless rows besides the one that is marked now wait there: return those then."""
    lease = report.delivered.lease
    # Whoever adds rows holds the room's lock. Waiting for it first lets the next statement see what they added: one
    # that only waits on its way would release a room whose lease was just handed out again.
    lock_room(connection, lease.room_key)
    held = {"k": lease.room_key, "w": report.worker, "f": lease.fence, "marked": marked}
    kept = _RELEASE.first(connection, held)
    if kept is None:
        raise Fenced(f"room {lease.room_key}")
    if kept.owner is None:
        return []
    return [row_of(row) for row in _ROWS.all(connection, {"k": lease.room_key}) if row.id != marked]


def _mark(connection: sa.Connection, lease: RoomLease, mark: Mark) -> None:
    """Store one fact. A row that its run has filled meanwhile is not made open again."""
    _MARK.run(
        connection,
        {
            "row": mark.row_id,
            "keep": mark.status == "open",
            "new_status": mark.status,
            "message": mark.message_id,
            "tries": mark.attempt,
            "at": mark.next_at,
            "problem": mark.error,
        },
    )
    if mark.body is not None:
        _NEW_BODY.run(connection, {"row": mark.row_id, "text": part_json(mark.body)})
    if mark.message_id and mark.aliased:
        _ADD_ALIAS.run(
            connection, {"m": Room.from_key(lease.room_key).message_key(mark.message_id), "k": lease.room_key}
        )


_COPY = Prepared(sa.select(*ROW_COLUMNS).where(OUTBOX.c.id == _b("row")))
_ADD_AGAIN = Prepared(
    lambda insert: (
        insert(OUTBOX)
        .values(
            idem_key=_b("key"),
            room_key=_b("room"),
            kind=RowKind.AGAIN.value,
            body=_b("text", type_=OUTBOX.c.body.type),
            status="pending",
            next_at=_b("at"),
            platform_message_id=_b("message"),
            created_at=_b("now"),
        )
        .on_conflict_do_nothing()
        .returning(*ROW_COLUMNS)
    )
)


def _again(connection: sa.Connection, value: Delivered) -> list[Row]:
    """Repeat, later, the edits that were sent right after a takeover."""
    if value.again_at is None:
        return []
    added = []
    for mark in value.marks:
        row: Any = _COPY.one(connection, {"row": mark.row_id})
        if row.status != "sent" or row.kind == RowKind.AGAIN.value:
            continue
        again = _ADD_AGAIN.first(
            connection,
            {
                "key": f"{row.idem_key}:again",
                "room": row.room_key,
                "text": row.body,
                "at": value.again_at,
                "message": row.platform_message_id,
                "now": value.now,
            },
        )
        if again is not None:
            added.append(row_of(again))
    return added


def still_ours(connection: sa.Connection, held: tuple[str, RoomLease]) -> bool:
    """Say whether a room is still ours to send into, and we are alive."""
    worker, lease = held
    found = connection.execute(
        sa.select(ROOM.c.key).where(
            ROOM.c.key == lease.room_key, ROOM.c.owner == worker, ROOM.c.fence == lease.fence, alive(owner_of(ROOM))
        )
    )
    return found.first() is not None
