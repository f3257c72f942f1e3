"""Claims: take runs that are ready, with all that working on them needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.events import Event, Room, load
from bot.people import Person
from bot.work import Claim, Intent, RoomLease, Row
from storage import items, outbox, people
from storage.leases import free, take_room
from storage.prepared import Prepared
from storage.tables import INBOX, RUN, RUN_STEP, THREAD

_b = sa.bindparam


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """How this worker claims."""

    worker: str
    version: str
    window_items: int
    """How many items of a thread a run may look back on."""
    reserving: frozenset[str]
    """Platforms that want a placeholder for each run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeReady:
    """Take up to `free` ready runs, one a thread."""

    terms: Terms
    free: int
    now: datetime


WAITING = sa.text("run.status IN ('queued', 'running')")
"""As the partial index says it, so that the planner finds it however long the thread is; below the same."""

_HAS_WORK = sa.text("thread.pending > 0")

_READY = Prepared(
    sa.select(THREAD.c.id)
    .where(_HAS_WORK, THREAD.c.ready_at <= _b("now"), free(THREAD))
    .order_by(THREAD.c.ready_at)
    .limit(_b("n"))
    .with_for_update(skip_locked=True)
)
_TAKE_THREAD = Prepared(
    sa.update(THREAD)
    .where(THREAD.c.id == _b("t"))
    .values(owner=_b("w"), fence=THREAD.c.fence + 1)
    .returning(THREAD.c.fence, THREAD.c.model_pin, THREAD.c.agent)
)
_HEAD = Prepared(sa.select(RUN).where(RUN.c.thread_id == _b("t"), WAITING).order_by(RUN.c.seq).limit(2))
_START_RUN = Prepared(
    sa.update(RUN)
    .where(RUN.c.id == _b("r"))
    .values(
        status="running",
        attempt=RUN.c.attempt + 1,
        fence=_b("f"),
        code_version=_b("v"),
        started_at=sa.func.coalesce(RUN.c.started_at, _b("now", type_=RUN.c.started_at.type)),
    )
)
_EVENTS = Prepared(
    sa.select(INBOX.c.payload, INBOX.c.seq)
    .where(INBOX.c.thread_id == _b("t"), INBOX.c.seq >= _b("a"), INBOX.c.seq < _b("z"), sa.not_(INBOX.c.done))
    .order_by(INBOX.c.seq)
)
_INTENTS = Prepared(sa.select(RUN_STEP).where(RUN_STEP.c.run_id == _b("r"), RUN_STEP.c.state == "intent"))


def take_ready(connection: sa.Connection, take: TakeReady) -> list[Claim]:
    """Take ready threads that nobody alive works on."""
    ready = _READY.all(connection, {"now": take.now, "n": take.free})
    claims = []
    for (thread_id,) in ready:
        taken = _TAKE_THREAD.one(connection, {"t": thread_id, "w": take.terms.worker})
        claim = start_head(
            connection,
            take.terms,
            Tenure(thread_id=thread_id, fence=taken.fence, model_pin=taken.model_pin, agent=taken.agent, now=take.now),
        )
        if claim is not None:
            claims.append(claim)
    return claims


@dataclass(frozen=True, kw_only=True, slots=True)
class Tenure:
    """A thread that this worker owns."""

    thread_id: int
    fence: int
    model_pin: str
    agent: str
    now: datetime
    drained: int = 0


def start_head(connection: sa.Connection, terms: Terms, tenure: Tenure) -> Claim | None:
    """Start the first waiting run of a thread that is ours; None, and the thread let go, when none is due."""
    runs = _HEAD.all(connection, {"t": tenure.thread_id})
    if not runs or runs[0].available_at > tenure.now:
        let_go(connection, tenure.thread_id, ready_at=runs[0].available_at if runs else tenure.now)
        return None
    run, end = runs[0], runs[1].seq if len(runs) > 1 else 2**31 - 1
    rows = _EVENTS.all(connection, {"t": tenure.thread_id, "a": run.seq, "z": end})
    events = tuple(load(row.payload) for row in rows)
    _START_RUN.run(connection, {"r": run.id, "f": tenure.fence, "v": terms.version, "now": tenure.now})
    claim = build(
        connection,
        terms,
        tenure,
        Starting(
            run_id=run.id,
            room_key=run.room_key,
            attempt=run.attempt + 1,
            command=run.command,
            cancelled=run.cancel_requested,
            requester=people.by_id(connection, run.requester_id),
            events=events,
            first_seq=run.seq,
            last_seq=rows[-1].seq if rows else run.seq,
        ),
    )
    if run.attempt > 0:
        claim = replace(claim, intents=_intents(connection, run.id))
    return claim


@dataclass(frozen=True, kw_only=True, slots=True)
class Starting:
    """A run that starts now."""

    run_id: int
    room_key: str
    attempt: int
    command: str
    cancelled: bool
    requester: Person
    events: tuple[Event, ...]
    first_seq: int
    last_seq: int


def build(connection: sa.Connection, terms: Terms, tenure: Tenure, run: Starting) -> Claim:
    """Return the claim, with the thread's tail, the reserved answer and the lease of its room."""
    lease, row = _reserve(connection, terms, tenure, run)
    last = run.events[-1] if run.events else None
    return Claim(
        thread_id=tenure.thread_id,
        fence=tenure.fence,
        run_id=run.run_id,
        attempt=run.attempt,
        first_seq=run.first_seq,
        last_seq=run.last_seq,
        requester=run.requester,
        room=Room.from_key(run.room_key),
        direct=last.direct if last else False,
        title=last.title if last else "",
        events=run.events,
        command=run.command,
        history=() if run.command else items.tail(connection, tenure.thread_id, terms.window_items),
        model_pin=tenure.model_pin,
        agent=tenure.agent,
        cancelled=run.cancelled,
        row=row,
        room_lease=lease,
        drained=tenure.drained,
    )


def _reserve(
    connection: sa.Connection, terms: Terms, tenure: Tenure, run: Starting
) -> tuple[RoomLease | None, Row | None]:
    """Reserve the answer where the platform wants it; a command answers at once and needs none."""
    if run.command or run.room_key.partition("/")[0] not in terms.reserving:
        return None, None
    last = run.events[-1] if run.events else None
    direct = last.direct if last else False
    lease = take_room(
        connection,
        terms.worker,
        run.room_key,
        joined=True,
        direct=direct,
        title=last.title if last else "",
    )
    row = outbox.open_answer(connection, run.run_id, run.room_key, anchor_of(last), tenure.now)
    return lease, row


def anchor_of(event: Event | None) -> str:
    """Return the message that an answer replies to; in a private chat nobody needs to be told."""
    return "" if event is None or event.direct else event.message_id


def _intents(connection: sa.Connection, run_id: int) -> tuple[Intent, ...]:
    rows: Sequence[Any] = _INTENTS.all(connection, {"r": run_id})
    return tuple(Intent(key=row.step_key, idem_key=row.idem_key, body=row.output or {}) for row in rows)


_LET_GO = Prepared(sa.update(THREAD).where(THREAD.c.id == _b("t")).values(owner=None, ready_at=_b("at")))


def let_go(connection: sa.Connection, thread_id: int, *, ready_at: datetime) -> None:
    """Release a thread that is ours."""
    _LET_GO.run(connection, {"t": thread_id, "at": ready_at})


_QUEUED = Prepared(sa.select(sa.func.count().label("n")).select_from(RUN).where(WAITING, RUN.c.status == "queued"))


def queued(connection: sa.Connection, _: None) -> int:
    """Return how many runs wait."""
    return int(_QUEUED.scalar(connection, {}))
