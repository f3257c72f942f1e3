"""Runs: steps and ends, each one guarded transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.command import Effect, NewThread, PinModel, Rerun, StopRun
from bot.errors import Fenced
from bot.seat import Decision as Decided
from bot.work import Claim, Finish, Finished, RunOutcome, StepRecord
from bot.work import Usage as Used
from storage import items, outbox
from storage.claims import WAITING, Starting, Tenure, Terms, anchor_of, build, let_go, start_head
from storage.leases import guard_thread, hint, lock_room, take_room
from storage.prepared import Prepared
from storage.tables import DECISION, INBOX, RUN, RUN_STEP, THREAD, USAGE
from storage.threads import new_thread

_b = sa.bindparam

_ADD_STEP = Prepared(sa.insert(RUN_STEP))
_END_INTENT = Prepared(
    sa.update(RUN_STEP).where(RUN_STEP.c.run_id == _b("r"), RUN_STEP.c.step_key == _b("k")).values(state="done")
)
_ADD_DECISIONS = Prepared(sa.insert(DECISION))
_ADD_USAGE = Prepared(sa.insert(USAGE))


@dataclass(frozen=True, kw_only=True, slots=True)
class Guarded:
    """A value that only the owner of a thread may commit."""

    worker: str
    record: Any


_OURS = sa.and_(THREAD.c.id == _b("t"), THREAD.c.owner == _b("w"), THREAD.c.fence == _b("f"))
_COUNT = Prepared(
    sa.update(THREAD)
    .where(_OURS)
    .values(next_item=THREAD.c.next_item + _b("n", type_=sa.Integer()))
    .returning(THREAD.c.next_item)
)
"""Guard and count in one statement: no row means that the thread is not ours."""


def commit_step(connection: sa.Connection, value: Guarded) -> None:
    """Store a step: its items, its intents and their ends, what was decided and used."""
    record: StepRecord = value.record
    claim = record.claim
    held = {"t": claim.thread_id, "w": value.worker, "f": claim.fence, "n": len(record.items)}
    end = _COUNT.scalar(connection, held)
    if end is None:
        raise Fenced(f"thread {claim.thread_id}")
    items.append(connection, claim.thread_id, claim.run_id, record.items, end)
    for key in record.ended:
        _END_INTENT.run(connection, {"r": claim.run_id, "k": key})
    steps = [
        {
            "run_id": claim.run_id,
            "step_key": intent.key,
            "state": "intent",
            "idem_key": intent.idem_key,
            "output": intent.body,
        }
        for intent in record.intents
    ]
    if not record.intents:
        steps.append({"run_id": claim.run_id, "step_key": record.key, "state": "done", "idem_key": "", "output": None})
    _ADD_STEP.many(connection, steps)
    _journal(connection, claim, record.key, record.decisions, record.usage, record.now)


def _journal(
    connection: sa.Connection,
    claim: Claim,
    key: str,
    decisions: Sequence[Decided],
    usage: Sequence[Used],
    now: datetime,
) -> None:
    if decisions:
        body = [[one.seat, one.outcome, one.because] for one in decisions]
        _ADD_DECISIONS.run(connection, {"run_id": claim.run_id, "step_key": f"{claim.attempt}.{key}", "body": body})
    if usage:
        _ADD_USAGE.many(connection, [_usage(claim, used, now) for used in usage])


def _usage(claim: Claim, used: Used, now: datetime) -> dict[str, Any]:
    return {
        "run_id": claim.run_id,
        "person_id": claim.requester.id,
        "room_key": claim.room.key,
        "model": used.model,
        "tokens_in": used.tokens_in,
        "tokens_out": used.tokens_out,
        "tokens_cached": used.tokens_cached,
        "cost_usd": used.cost_usd,
        "at": now,
    }


_STATUS = {RunOutcome.SUCCESS: "done", RunOutcome.ERROR: "failed", RunOutcome.CANCELLED: "cancelled"}

_END_RUN = Prepared(
    sa.update(RUN)
    .where(RUN.c.id == _b("r"))
    .values(
        status=_b("new_status"),
        outcome=_b("new_outcome"),
        stop_reason=_b("reason"),
        error=_b("new_error"),
        ended_at=_b("now", type_=RUN.c.ended_at.type),
    )
    .returning(RUN.c.room_key)
)
_CONSUME = Prepared(
    sa.update(INBOX)
    .where(INBOX.c.thread_id == _b("t"), INBOX.c.seq >= _b("a"), INBOX.c.seq <= _b("z"))
    .values(done=True, run_id=_b("r"))
)
_LEAVE = Prepared(
    sa.update(THREAD)
    .where(_OURS)
    .values(
        next_item=THREAD.c.next_item + _b("n", type_=sa.Integer()),
        pending=THREAD.c.pending - 1,
        owner=sa.case((THREAD.c.pending == 1, None), else_=THREAD.c.owner),
    )
    .returning(THREAD.c.next_item, THREAD.c.pending, THREAD.c.model_pin, THREAD.c.agent)
)
_PENDING = Prepared(sa.select(THREAD.c.pending, THREAD.c.model_pin, THREAD.c.agent).where(THREAD.c.id == _b("t")))


@dataclass(frozen=True, kw_only=True, slots=True)
class End:
    """The end of a run, with the terms under which the next one is taken."""

    finish: Finish
    terms: Terms
    runs_per_claim: int


def finish(connection: sa.Connection, value: End) -> Finished:
    """End a run: journal, answer, status and usage together; then take the thread's next run, or let it go."""
    record, claim = value.finish, value.finish.claim
    held = {"t": claim.thread_id, "w": value.terms.worker, "f": claim.fence, "n": len(record.items)}
    left = _LEAVE.first(connection, held)
    if left is None:
        raise Fenced(f"thread {claim.thread_id}")
    _journal(connection, claim, "end", record.decisions, (), record.now)
    if record.rollback:
        items.drop_run(connection, claim.run_id)
    items.append(connection, claim.thread_id, claim.run_id, record.items, left.next_item)
    room_key = _END_RUN.scalar(
        connection,
        {
            "r": claim.run_id,
            "new_status": _STATUS[record.outcome],
            "new_outcome": record.outcome.value,
            "reason": record.stop_reason,
            "new_error": record.error,
            "now": record.now,
        },
    )
    _CONSUME.run(connection, {"t": claim.thread_id, "a": claim.first_seq, "z": claim.last_seq, "r": claim.run_id})
    for effect in record.effects:
        apply(connection, claim.thread_id, claim.last_seq, effect, record.now)
    lease = None
    if claim.row is None:
        direct = claim.direct
        lease = take_room(connection, value.terms.worker, room_key, joined=True, direct=direct, title=claim.title)
    else:
        lock_room(connection, room_key)
    if lease is None and claim.room_lease is None:
        hint(connection, f"room:{room_key}")
    rows = _answer(connection, record, room_key)
    if record.usage:
        _ADD_USAGE.many(connection, [_usage(claim, used, record.now) for used in record.usage])
    if record.effects:
        left = _PENDING.one(connection, {"t": claim.thread_id})
    next_claim = _next(connection, value, record, left)
    more = next_claim is None and (left.pending > 0 or bool(record.effects))
    return Finished(rows=tuple(rows), room_lease=lease, next=next_claim, more=more)


def _answer(connection: sa.Connection, record: Finish, room_key: str) -> list[Any]:
    """Fill what was reserved, and add what else there is to say."""
    claim, parts = record.claim, record.parts
    anchor = anchor_of(claim.events[-1] if claim.events else None)
    # The run of a `/retry` reserves its answer after it was claimed.
    reserved = claim.row is not None or bool(claim.command)
    filled = outbox.fill_answer(connection, claim.run_id, parts[0]) if reserved else None
    first = 0 if filled is None else 1
    added = outbox.add_parts(
        connection,
        parts[first:],
        outbox.Say(
            key=str(claim.run_id), room_key=room_key, anchor=anchor, now=record.now, run_id=claim.run_id, first=first
        ),
    )
    return added if filled is None else [filled, *added]


def _next(connection: sa.Connection, value: End, record: Finish, left: Any) -> Claim | None:
    """Go on with the thread's next run, or let the thread go where others should have a turn."""
    claim = record.claim
    if left.pending == 0 or not record.may_claim or claim.drained + 1 >= value.runs_per_claim:
        if left.pending > 0 or record.effects:
            let_go(connection, claim.thread_id, ready_at=record.now)
            hint(connection, "work")
        return None
    tenure = Tenure(
        thread_id=claim.thread_id,
        fence=claim.fence,
        model_pin=left.model_pin,
        agent=left.agent,
        now=record.now,
        drained=claim.drained + 1,
    )
    return start_head(connection, value.terms, tenure)


AGENT_KINDS = ("assistant", "tool", "note")
"""What an agent adds to a thread; people's own words are of another kind."""


def apply(connection: sa.Connection, thread_id: int, seq: int, effect: Effect, now: datetime) -> list[int]:
    """Do what a command changes, and return the runs that shall stop. The thread's row is locked by the caller."""
    match effect:
        case NewThread():
            new_thread(connection, thread_id, seq, now)
        case PinModel(model=model):
            connection.execute(sa.update(THREAD).where(THREAD.c.id == thread_id).values(model_pin=model))
        case StopRun():
            return _stop(connection, thread_id)
        case Rerun():
            _forget_answer(connection, thread_id, seq)
    return []


def _stop(connection: sa.Connection, thread_id: int) -> list[int]:
    """Ask what runs to stop, or what waits when nothing runs; durable, so that any worker sees it."""
    for status in ("running", "queued"):
        stopped = connection.execute(
            sa.update(RUN)
            .where(RUN.c.thread_id == thread_id, WAITING, RUN.c.status == status, RUN.c.command == "")
            .values(cancel_requested=True)
            .returning(RUN.c.id)
        ).scalars()
        if ids := list(stopped):
            return ids
    return []


def _forget_answer(connection: sa.Connection, thread_id: int, before_seq: int) -> None:
    """Drop what the agent last answered in the thread."""
    last = connection.execute(
        sa.select(RUN.c.id)
        .where(
            RUN.c.thread_id == thread_id, RUN.c.seq < before_seq, sa.or_(RUN.c.command == "", RUN.c.command == "retry")
        )
        .order_by(RUN.c.seq.desc())
        .limit(1)
    ).scalar()
    if last is not None:
        items.drop_run(connection, last, AGENT_KINDS)


@dataclass(frozen=True, kw_only=True, slots=True)
class GiveBack:
    """A run that this worker cannot end now."""

    worker: str
    claim: Claim
    counted: bool
    now: datetime


def give_back(connection: sa.Connection, value: GiveBack) -> None:
    """Queue a run again and let its thread go."""
    claim = value.claim
    guard_thread(connection, value.worker, claim)
    connection.execute(
        sa.update(RUN)
        .where(RUN.c.id == claim.run_id, RUN.c.status == "running")
        .values(status="queued", attempt=RUN.c.attempt - (0 if value.counted else 1))
    )
    let_go(connection, claim.thread_id, ready_at=value.now)


@dataclass(frozen=True, kw_only=True, slots=True)
class Again:
    """The run of a `/retry` that shall answer anew."""

    claim: Claim
    terms: Terms
    now: datetime


def rerun(connection: sa.Connection, value: Again) -> Claim:
    """Drop what the agent last answered, and return the claim as one of conversation."""
    claim = value.claim
    guard_thread(connection, value.terms.worker, claim)
    _forget_answer(connection, claim.thread_id, claim.first_seq)
    tenure = Tenure(
        thread_id=claim.thread_id,
        fence=claim.fence,
        model_pin=claim.model_pin,
        agent=claim.agent,
        now=value.now,
        drained=claim.drained,
    )
    start = Starting(
        run_id=claim.run_id,
        room_key=claim.room.key,
        attempt=claim.attempt,
        command="",
        cancelled=claim.cancelled,
        requester=claim.requester,
        events=claim.events,
        first_seq=claim.first_seq,
        last_seq=claim.last_seq,
    )
    return replace(build(connection, value.terms, tenure, start), events=())


def cancelled(connection: sa.Connection, run_ids: Sequence[int]) -> list[int]:
    """Return which of these runs somebody asked to stop."""
    found = connection.execute(sa.select(RUN.c.id).where(RUN.c.id.in_(run_ids), RUN.c.cancel_requested))
    return list(found.scalars())
