"""Amend: edits and deletions change what is stored; a moved room keeps its conversation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from bot.events import Event, dump, load
from bot.work import Amend, Fate, Ingested, Move
from storage.prepared import Prepared
from storage.tables import ALIAS, INBOX, ITEM, OUTBOX, ROOM, RUN, TOPIC

_b = sa.bindparam

_WAITING = Prepared(
    sa.select(INBOX.c.id, INBOX.c.payload, INBOX.c.done)
    .where(INBOX.c.message_key == _b("m"), INBOX.c.payload != "")
    .with_for_update()
)
"""Retention empties the payloads of old events."""
_STORED = Prepared(sa.select(ITEM.c.id, ITEM.c.body).where(ITEM.c.message_key == _b("m")))

DELETED = ""
"""What stands in place of a text that its author deleted."""


def amend(connection: sa.Connection, event: Event, verdict: Amend) -> Ingested:
    """Change the text of a message where it is stored: still waiting, or already an item of its thread."""
    key = event.room.message_key(event.message_id)
    text = verdict.text if verdict.text is not None else DELETED
    changed = 0
    for row in _WAITING.all(connection, {"m": key}):
        payload = dump(replace(load(row.payload), text=text))
        connection.execute(sa.update(INBOX).where(INBOX.c.id == row.id).values(payload=payload))
        changed += not row.done
    for item_id, body in _STORED.all(connection, {"m": key}):
        connection.execute(sa.update(ITEM).where(ITEM.c.id == item_id).values(body={**body, "text": text}))
        changed += 1
    if not changed:
        return Ingested(fate=Fate.DROPPED, because="an edit of a message that we do not keep")
    return Ingested(fate=Fate.AMENDED)


_NEW_ROOM = Prepared(
    lambda insert: (
        insert(ROOM)
        .values(key=_b("k"), fence=0, joined=_b("joined"), direct=False, title=_b("title"))
        .on_conflict_do_update(index_elements=[ROOM.c.key], set_={"joined": _b("joined", type_=sa.Boolean())})
    )
)


def move(connection: sa.Connection, old: str, verdict: Move) -> Ingested:
    """Give everything of a room to its new address. Doing it twice changes nothing."""
    new = verdict.to.key
    room = connection.execute(
        sa.update(ROOM).where(ROOM.c.key == old).values(moved_to=new).returning(ROOM.c.joined, ROOM.c.title)
    ).first()
    if room is None:
        return Ingested(fate=Fate.DROPPED, because="a room that we never spoke in moved")
    _NEW_ROOM.run(connection, {"k": new, "joined": room.joined, "title": room.title})
    taken = sa.select(TOPIC.c.person_id).where(TOPIC.c.room_key == new).scalar_subquery()
    connection.execute(
        sa.update(TOPIC).where(TOPIC.c.room_key == old, TOPIC.c.person_id.not_in(taken)).values(room_key=new)
    )
    for table, condition in _followers():
        connection.execute(sa.update(table).where(table.c.room_key == old, condition).values(room_key=new))
    return Ingested(fate=Fate.MOVED)


def _followers() -> list[tuple[sa.Table, Any]]:
    """What of the old room is still to come, or finds its thread by the room."""
    return [
        (RUN, RUN.c.status.in_(("queued", "running"))),
        (OUTBOX, OUTBOX.c.status.in_(("open", "pending"))),
        (ALIAS, sa.true()),
    ]
