"""Control words: claimed by a conditional update of their own, beside whatever run is going on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from bot.errors import Fenced
from bot.events import load
from bot.work import ControlClaim, ControlFinish, ControlFinished
from storage import outbox, people
from storage.claims import anchor_of
from storage.leases import free, hint, take_room
from storage.runs import apply
from storage.tables import INBOX, THREAD

AT_ONCE = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeControl:
    """Take control words: these, or with None whatever nobody alive answers."""

    worker: str
    inbox_ids: Sequence[int] | None
    now: datetime


def take_control(connection: sa.Connection, take: TakeControl) -> list[ControlClaim]:
    """Claim control words that wait."""
    # As the partial index says it, so that the planner finds it.
    waiting = sa.and_(sa.text("inbox.lane = 'control' AND NOT inbox.done"), free(INBOX))
    if take.inbox_ids is not None:
        waiting = sa.and_(waiting, INBOX.c.id.in_(take.inbox_ids))
    chosen = sa.select(INBOX.c.id).where(waiting).order_by(INBOX.c.id).limit(AT_ONCE).with_for_update(skip_locked=True)
    ids = connection.execute(chosen).scalars().all()
    if not ids:
        return []
    rows = connection.execute(
        sa.update(INBOX)
        .where(INBOX.c.id.in_(ids))
        .values(owner=take.worker)
        .returning(INBOX.c.id, INBOX.c.thread_id, INBOX.c.command, INBOX.c.payload, INBOX.c.person_id)
    ).all()
    return [
        ControlClaim(
            inbox_id=row.id,
            thread_id=row.thread_id,
            command=row.command,
            event=load(row.payload),
            requester=people.by_id(connection, row.person_id),
        )
        for row in sorted(rows, key=lambda row: row.id)
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class EndControl:
    """The answer of a control word that this worker claimed."""

    worker: str
    finish: ControlFinish


def finish_control(connection: sa.Connection, value: EndControl) -> ControlFinished:
    """Answer a control word and do what it changes, once."""
    record, claim = value.finish, value.finish.claim
    connection.execute(sa.select(THREAD.c.id).where(THREAD.c.id == claim.thread_id).with_for_update())
    room_key = connection.execute(
        sa.update(INBOX)
        .where(INBOX.c.id == claim.inbox_id, INBOX.c.owner == value.worker, sa.not_(INBOX.c.done))
        .values(done=True)
        .returning(INBOX.c.room_key)
    ).scalar()
    if room_key is None:
        raise Fenced(f"control word {claim.inbox_id}")
    stopped: list[int] = []
    for effect in record.effects:
        stopped += apply(connection, claim.thread_id, 2**31 - 1, effect, record.now)
    lease = take_room(
        connection,
        value.worker,
        room_key,
        joined=False,
        direct=claim.event.direct,
        title=claim.event.title,
    )
    if lease is None:
        hint(connection, f"room:{room_key}")
    if stopped:
        hint(connection, "work")
    rows = outbox.add_parts(
        connection,
        record.parts,
        outbox.Say(key=f"in{claim.inbox_id}", room_key=room_key, anchor=anchor_of(claim.event), now=record.now),
    )
    return ControlFinished(rows=tuple(rows), room_lease=lease, stopped=tuple(stopped))
