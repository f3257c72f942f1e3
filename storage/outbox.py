"""Outbox: rows of messages that rooms shall see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.replies import Part, PartKind
from bot.work import Row, RowKind
from storage.prepared import Prepared
from storage.tables import OUTBOX

_b = sa.bindparam

ROW_COLUMNS = (
    OUTBOX.c.id,
    OUTBOX.c.idem_key,
    OUTBOX.c.room_key,
    OUTBOX.c.kind,
    OUTBOX.c.anchor,
    OUTBOX.c.body,
    OUTBOX.c.status,
    OUTBOX.c.platform_message_id,
    OUTBOX.c.attempt,
    OUTBOX.c.created_at,
    OUTBOX.c.next_at,
)

_OPEN = Prepared(
    lambda insert: (
        insert(OUTBOX)
        .values(
            idem_key=_b("key"),
            room_key=_b("room"),
            run_id=_b("run"),
            kind=RowKind.ANSWER.value,
            anchor=_b("anchor"),
            body=sa.null(),
            status="open",
            created_at=_b("now"),
        )
        .on_conflict_do_update(index_elements=[OUTBOX.c.idem_key], set_={"attempt": OUTBOX.c.attempt})
        .returning(*ROW_COLUMNS)
    )
)
_ADD = Prepared(
    lambda insert: (
        insert(OUTBOX)
        .values(
            idem_key=_b("key"),
            room_key=_b("room"),
            run_id=_b("run"),
            kind=_b("kind"),
            anchor=_b("anchor"),
            body=_b("body"),
            status="pending",
            created_at=_b("now"),
        )
        .on_conflict_do_nothing()
        .returning(OUTBOX.c.id)
    )
)
_FILL = Prepared(
    sa.update(OUTBOX)
    .where(OUTBOX.c.idem_key == _b("key"), OUTBOX.c.status == "open")
    .values(body=_b("text", type_=OUTBOX.c.body.type), status="pending")
    .returning(*ROW_COLUMNS)
)


def part_json(part: Part) -> dict[str, Any]:
    return {"kind": part.kind.value, "body": part.body}


def part_of(value: dict[str, Any] | None) -> Part | None:
    return None if value is None else Part(kind=PartKind(value["kind"]), body=value["body"])


def row_of(row: Any, *, ambiguous: bool = False) -> Row:
    """Return a stored row as a delivery."""
    return Row(
        id=row.id,
        key=row.idem_key,
        room_key=row.room_key,
        kind=RowKind(row.kind),
        anchor=row.anchor,
        body=part_of(row.body) if row.status != "open" else None,
        message_id=row.platform_message_id,
        attempt=row.attempt,
        created_at=row.created_at,
        ambiguous=ambiguous,
        not_before=row.next_at,
    )


def open_answer(connection: sa.Connection, run_id: int, room_key: str, anchor: str, now: datetime) -> Row:
    """Reserve the answer of a run, or return the row that an earlier try reserved."""
    values = {"key": f"{run_id}:0", "room": room_key, "run": run_id, "anchor": anchor, "now": now}
    return row_of(_OPEN.one(connection, values))


def fill_answer(connection: sa.Connection, run_id: int, part: Part) -> Row | None:
    """Give the reserved answer of a run its text; None when nothing was reserved."""
    row = _FILL.first(connection, {"key": f"{run_id}:0", "text": part_json(part)})
    return None if row is None else row_of(row)


@dataclass(frozen=True, kw_only=True, slots=True)
class Say:
    """Messages for a room, in order, under the keys `<key>:<n>`."""

    key: str
    room_key: str
    anchor: str
    now: datetime
    run_id: int | None = None
    first: int = 0
    """The first `n`: 1 where a reserved answer is number 0."""


def add_parts(connection: sa.Connection, parts: Sequence[Part], say: Say) -> list[Row]:
    """Add messages; those that are there already are left alone."""
    rows = []
    for ordinal, part in enumerate(parts, start=say.first):
        idem_key = f"{say.key}:{ordinal}"
        row_anchor = say.anchor if ordinal == 0 else ""
        values = {
            "key": idem_key,
            "room": say.room_key,
            "run": say.run_id,
            "kind": RowKind.PART.value,
            "anchor": row_anchor,
            "body": part_json(part),
            "now": say.now,
        }
        row_id = _ADD.scalar(connection, values)
        if row_id is not None:
            rows.append(
                Row(
                    id=row_id,
                    key=idem_key,
                    room_key=say.room_key,
                    kind=RowKind.PART,
                    anchor=row_anchor,
                    body=part,
                    created_at=say.now,
                )
            )
    return rows
