"""Ingest: one transaction from an event to a queued run, claimed at once where the thread is idle."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.command import Lane
from bot.events import Event, Kind, dump
from bot.people import Person, Role, Standing
from bot.work import (
    Accept,
    Amend,
    Answer,
    Arrival,
    ControlClaim,
    Drop,
    Fate,
    Ingested,
    Move,
    Redeem,
)
from storage import amend, claims, outbox, people
from storage.claims import Starting, Tenure, Terms, anchor_of
from storage.leases import hint, join_room, take_room
from storage.prepared import Prepared
from storage.tables import ALIAS, CONNECTION, INBOX, PERSON, ROOM, RUN, THREAD, TOPIC
from storage.threads import find_thread, thread_of

_b = sa.bindparam


@dataclass(frozen=True, kw_only=True, slots=True)
class Ingest:
    """An arrival, with the terms of the worker that brings it in."""

    arrival: Arrival
    terms: Terms


def ingest(connection: sa.Connection, value: Ingest) -> Ingested:
    """Judge and store one event."""
    arrival = value.arrival
    seen = _look(connection, arrival)
    verdict = arrival.judge(arrival.event, seen.standing)
    match verdict:
        case Drop():
            return Ingested(fate=Fate.DROPPED, because=verdict.because, person=seen.person)
        case Answer():
            return _answer(connection, value, seen, verdict)
        case Amend():
            return amend.amend(connection, arrival.event, verdict)
        case Move():
            return amend.move(connection, seen.room_key, verdict)
        case Redeem():
            return _redeem(connection, value, seen, verdict)
        case Accept(lane=Lane.CONTROL):
            return _control(connection, value, seen, verdict)
        case Accept():
            return _queue(connection, value, seen, verdict)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """What the transaction read about who speaks and where."""

    standing: Standing
    room_key: str
    thread_id: int | None
    """The thread that the room shares, where it has one."""

    @property
    def person(self) -> Person | None:
        return self.standing.person


_ONE = sa.select(sa.literal(1).label("one")).subquery()
_LOOK = Prepared(
    sa.select(ROOM.c.joined, ROOM.c.moved_to, TOPIC.c.thread_id, PERSON.c.id, PERSON.c.name, PERSON.c.role).select_from(
        _ONE.outerjoin(ROOM, ROOM.c.key == _b("k"))
        .outerjoin(TOPIC, sa.and_(TOPIC.c.room_key == _b("k"), TOPIC.c.person_id == 0))
        .outerjoin(CONNECTION, sa.and_(CONNECTION.c.platform == _b("p"), CONNECTION.c.account == _b("a")))
        .outerjoin(PERSON, PERSON.c.id == CONNECTION.c.person_id)
    )
)


def _look(connection: sa.Connection, arrival: Arrival) -> _Seen:
    """Read all that the gates may ask, in one statement."""
    event = arrival.event
    room_key, quotes_us = _room_key(connection, event)
    account = "" if event.author.is_us else event.author.id
    found = _LOOK.one(connection, {"k": room_key, "p": event.room.platform, "a": account})
    if found.moved_to is not None:
        # It was on its way while the room moved: it belongs to the room's new address.
        room_key = found.moved_to
        found = _LOOK.one(connection, {"k": room_key, "p": event.room.platform, "a": account})
    person = None if found.id is None else Person(id=found.id, name=found.name, role=Role(found.role))
    if person is None and account and arrival.admit_as is not None:
        person = people.admit(connection, _account(arrival, Role(arrival.admit_as)))
    standing = Standing(
        person=person,
        joined=bool(found.joined),
        has_admin=person is not None or people.has_admin(connection),
        quotes_us=quotes_us,
    )
    return _Seen(standing=standing, room_key=room_key, thread_id=found.thread_id)


def _account(arrival: Arrival, role: Role) -> people.NewAccount:
    author = arrival.event.author
    return people.NewAccount(
        platform=arrival.event.room.platform, account=author.id, name=author.name, role=role, now=arrival.now
    )


_ALIAS = Prepared(sa.select(ALIAS.c.room_key).where(ALIAS.c.message_key == _b("m")))


def _room_key(connection: sa.Connection, event: Event) -> tuple[str, bool]:
    """Return the room that an event belongs to: a reply to a message of ours belongs to that message's room."""
    if event.quoted is None:
        return event.room.key, False
    alias = _ALIAS.scalar(connection, {"m": event.room.message_key(event.quoted.message_id)})
    return alias or event.room.key, event.quoted.from_us or alias is not None


_ADD_INBOX = Prepared(
    lambda insert: (
        insert(INBOX)
        .values(
            dedupe_key=_b("key"),
            room_key=_b("room"),
            person_id=_b("person"),
            lane=_b("lane"),
            command=_b("command"),
            thread_id=_b("thread"),
            seq=_b("seq"),
            message_key=_b("message"),
            payload=_b("payload"),
            received_at=_b("now"),
            done=_b("done"),
            owner=_b("owner"),
        )
        .on_conflict_do_nothing(index_elements=[INBOX.c.dedupe_key])
        .returning(INBOX.c.id)
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    """Where an inbox row goes."""

    lane: str
    thread_id: int | None = None
    seq: int | None = None
    command: str = ""
    done: bool = False
    owner: str | None = None


def _store(connection: sa.Connection, arrival: Arrival, seen: _Seen, entry: _Entry) -> int | None:
    """Insert the inbox row; None when the event was seen before."""
    event = arrival.event
    inbox_id: int | None = _ADD_INBOX.scalar(
        connection,
        {
            "key": event.id,
            "room": seen.room_key,
            "person": seen.person.id if seen.person else None,
            "lane": entry.lane,
            "command": entry.command,
            "thread": entry.thread_id,
            "seq": entry.seq,
            "message": event.room.message_key(event.message_id) if event.message_id else "",
            "payload": dump(event),
            "now": arrival.now,
            "done": entry.done,
            "owner": entry.owner,
        },
    )
    return inbox_id


def _answer(connection: sa.Connection, value: Ingest, seen: _Seen, verdict: Answer) -> Ingested:
    inbox_id = _store(connection, value.arrival, seen, _Entry(lane="gate", done=True))
    if inbox_id is None:
        return Ingested(fate=Fate.SEEN_BEFORE)
    return _say(connection, value, seen, inbox_id, verdict.parts, because=verdict.because)


def _say(connection: sa.Connection, value: Ingest, seen: _Seen, inbox_id: int, parts: Any, *, because: str) -> Ingested:
    event, now = value.arrival.event, value.arrival.now
    lease = take_room(
        connection, value.terms.worker, seen.room_key, joined=False, direct=event.direct, title=event.title
    )
    if lease is None:
        hint(connection, f"room:{seen.room_key}")
    rows = outbox.add_parts(
        connection, parts, outbox.Say(key=f"in{inbox_id}", room_key=seen.room_key, anchor=anchor_of(event), now=now)
    )
    return Ingested(fate=Fate.ANSWERED, rows=tuple(rows), room_lease=lease, person=seen.person, because=because)


def _redeem(connection: sa.Connection, value: Ingest, seen: _Seen, verdict: Redeem) -> Ingested:
    arrival = value.arrival
    inbox_id = _store(connection, arrival, seen, _Entry(lane="gate", done=True))
    if inbox_id is None:
        return Ingested(fate=Fate.SEEN_BEFORE)
    account = _account(arrival, Role.GUEST)
    person = people.redeem(connection, people.Redemption(code_hash=verdict.code_hash, account=account))
    parts, because = (verdict.refusal, "wrong code") if person is None else (verdict.welcome, "code redeemed")
    return _say(connection, value, seen, inbox_id, parts, because=because)


def _control(connection: sa.Connection, value: Ingest, seen: _Seen, verdict: Accept) -> Ingested:
    arrival, person = value.arrival, seen.person
    assert person is not None, "the gates accept nobody unknown"
    thread_id = _thread(connection, arrival, seen, person)
    entry = _Entry(lane="control", thread_id=thread_id, command=verdict.command, owner=value.terms.worker)
    inbox_id = _store(connection, arrival, seen, entry)
    if inbox_id is None:
        return Ingested(fate=Fate.SEEN_BEFORE)
    control = ControlClaim(
        inbox_id=inbox_id, thread_id=thread_id, command=verdict.command, event=arrival.event, requester=person
    )
    return Ingested(fate=Fate.QUEUED, control=control, person=person, thread_id=thread_id)


def _thread(connection: sa.Connection, arrival: Arrival, seen: _Seen, person: Person) -> int:
    """Return the thread that an event belongs to: the room's, or in a group the person's own where that is set."""
    own = arrival.per_person and not arrival.event.direct
    if seen.thread_id is not None and not own:
        return seen.thread_id
    return thread_of(connection, seen.room_key, person.id if own else 0, arrival.now)


_ENTER = Prepared(
    sa.update(THREAD)
    .where(THREAD.c.id == _b("t"))
    .values(
        next_seq=THREAD.c.next_seq + 1,
        pending=THREAD.c.pending + 1,
        ready_at=sa.case((THREAD.c.pending == 0, _b("at", type_=THREAD.c.ready_at.type)), else_=THREAD.c.ready_at),
        owner=sa.case(
            (sa.and_(THREAD.c.pending == 0, THREAD.c.owner.is_(None), _b("claim", type_=sa.Boolean())), _b("w")),
            else_=THREAD.c.owner,
        ),
        fence=THREAD.c.fence
        + sa.case(
            (sa.and_(THREAD.c.pending == 0, THREAD.c.owner.is_(None), _b("claim", type_=sa.Boolean())), 1), else_=0
        ),
    )
    .returning(THREAD.c.next_seq, THREAD.c.pending, THREAD.c.owner, THREAD.c.fence, THREAD.c.model_pin, THREAD.c.agent)
)
_LEAVE = Prepared(
    sa.update(THREAD)
    .where(THREAD.c.id == _b("t"))
    .values(
        next_seq=THREAD.c.next_seq - _b("back", type_=sa.Integer()),
        pending=THREAD.c.pending - 1,
        owner=sa.case((_b("release", type_=sa.Boolean()), None), else_=THREAD.c.owner),
    )
)
_LAST = Prepared(
    sa.select(RUN.c.id, RUN.c.requester_id, RUN.c.command, RUN.c.group_key, RUN.c.available_at)
    .where(RUN.c.thread_id == _b("t"), claims.WAITING, RUN.c.status == "queued")
    .order_by(RUN.c.seq.desc())
    .limit(1)
)
_ADD_RUN = Prepared(
    sa.insert(RUN)
    .values(
        thread_id=_b("thread"),
        seq=_b("seq"),
        requester_id=_b("person"),
        room_key=_b("room"),
        status=_b("status"),
        fence=_b("fence"),
        attempt=_b("attempt"),
        available_at=_b("at"),
        command=_b("command"),
        group_key=_b("group"),
        code_version=_b("version"),
        created_at=_b("now"),
        started_at=_b("started"),
    )
    .returning(RUN.c.id)
)
_HOLD_RUN = Prepared(sa.update(RUN).where(RUN.c.id == _b("r")).values(available_at=_b("at")))


def _enter(connection: sa.Connection, value: Ingest, seen: _Seen, person: Person, at: datetime) -> tuple[int, Any]:
    """Take the next place in the thread that the room talks in; its row is locked from now on."""
    arrival, worker = value.arrival, value.terms.worker
    thread_id = _thread(connection, arrival, seen, person)
    while True:
        claim = arrival.may_claim and at <= arrival.now
        place = _ENTER.one(connection, {"t": thread_id, "at": at, "claim": claim, "w": worker})
        current = _current(connection, arrival, seen, person)
        if current in (None, thread_id):
            return thread_id, place
        release = place.pending == 1 and place.owner == worker
        _LEAVE.run(connection, {"t": thread_id, "back": 1, "release": release})
        thread_id = current


def _current(connection: sa.Connection, arrival: Arrival, seen: _Seen, person: Person) -> int | None:
    """Return the room's thread again: `/new` may have given it another one while we waited for the row's lock."""
    if connection.dialect.name == "sqlite":
        return None
    own = arrival.per_person and not arrival.event.direct
    return find_thread(connection, seen.room_key, person.id if own else 0)


def _queue(connection: sa.Connection, value: Ingest, seen: _Seen, verdict: Accept) -> Ingested:
    """Put the event into its thread: into the last waiting run, into a new one, or straight to work."""
    arrival, person = value.arrival, seen.person
    assert person is not None, "the gates accept nobody unknown"
    now, at = arrival.now, verdict.not_before or arrival.now
    thread_id, place = _enter(connection, value, seen, person, at)
    claimed = place.pending == 1 and place.owner == value.terms.worker
    seq = place.next_seq - 1
    entry = _Entry(lane="thread", thread_id=thread_id, seq=seq, command=verdict.command)
    inbox_id = _store(connection, arrival, seen, entry)
    if inbox_id is None:
        _LEAVE.run(connection, {"t": thread_id, "back": 1, "release": claimed})
        return Ingested(fate=Fate.SEEN_BEFORE)
    notice = _notice(connection, value, seen, inbox_id, verdict)
    joined = None if place.pending == 1 else _join(connection, value, seen, verdict, thread_id)
    if joined is not None:
        _LEAVE.run(connection, {"t": thread_id, "back": 0, "release": False})
        return Ingested(fate=Fate.QUEUED, person=person, thread_id=thread_id, wake_at=at, **notice)
    run_id = _ADD_RUN.scalar(
        connection,
        {
            "thread": thread_id,
            "seq": seq,
            "person": person.id,
            "room": seen.room_key,
            "status": "running" if claimed else "queued",
            "fence": place.fence if claimed else 0,
            "attempt": 1 if claimed else 0,
            "at": at,
            "command": verdict.command,
            "group": arrival.event.group,
            "version": value.terms.version,
            "now": now,
            "started": now if claimed else None,
        },
    )
    if not claimed:
        hint(connection, "work")
        if not seen.standing.joined:
            join_room(connection, seen.room_key, direct=arrival.event.direct, title=arrival.event.title)
        return Ingested(fate=Fate.QUEUED, person=person, thread_id=thread_id, wake_at=at, **notice)
    tenure = Tenure(thread_id=thread_id, fence=place.fence, model_pin=place.model_pin, agent=place.agent, now=now)
    start = Starting(
        run_id=run_id,
        room_key=seen.room_key,
        attempt=1,
        command=verdict.command,
        cancelled=False,
        requester=person,
        events=(arrival.event,),
        first_seq=seq,
        last_seq=seq,
    )
    claim = claims.build(connection, value.terms, tenure, start)
    return Ingested(fate=Fate.QUEUED, claim=claim, person=person, thread_id=thread_id, **notice)


def _notice(connection: sa.Connection, value: Ingest, seen: _Seen, inbox_id: int, verdict: Accept) -> dict[str, Any]:
    """Say what the gates want said at once, such as that an answer will take a while."""
    if not verdict.notice:
        return {}
    said = _say(connection, value, seen, inbox_id, verdict.notice, because="")
    return {"rows": said.rows, "room_lease": said.room_lease}


def _join(connection: sa.Connection, value: Ingest, seen: _Seen, verdict: Accept, thread_id: int) -> int | None:
    """Join the last waiting run when it is the same person's and of the same kind; return its id."""
    last = _LAST.first(connection, {"t": thread_id})
    event = value.arrival.event
    if last is None or seen.person is None or last.requester_id != seen.person.id:
        return None
    if last.command or verdict.command or last.group_key != event.group or event.kind is not Kind.MESSAGE:
        return None
    if verdict.not_before is not None and verdict.not_before > last.available_at:
        # Its album may still grow. The thread is looked at when it was ready before, and waits on then.
        _HOLD_RUN.run(connection, {"r": last.id, "at": verdict.not_before})
    return int(last.id)
