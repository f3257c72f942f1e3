"""What the engine commits: each transaction is one verb of `bot.ports.Engine` with one frozen value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from bot.command import Effect, Lane
from bot.events import Event, Room
from bot.people import Person, Standing
from bot.replies import Part
from bot.seat import Decision

# --- what intake decides about an event -------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Drop:
    """Store nothing; the event is none of our business."""

    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """Store the event as done and say this once, so that a redelivery is silent."""

    parts: tuple[Part, ...]
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Amend:
    """Change what is stored of an earlier message; never a new run. Deleted text becomes None."""

    text: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Redeem:
    """Try the one-time code that the event carries."""

    code_hash: str
    welcome: tuple[Part, ...]
    refusal: tuple[Part, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """The room has a new address; everything of the old one belongs to it now."""

    to: Room


@dataclass(frozen=True, kw_only=True, slots=True)
class Accept:
    """Queue it."""

    lane: Lane = Lane.THREAD
    command: str = ""
    """The control word's name, empty for conversation."""
    not_before: datetime | None = None
    """Run it later than now: an album that may still grow, a person over the rate limit."""
    notice: tuple[Part, ...] = ()
    """Said at once, such as that it will take a while."""


Verdict = Drop | Answer | Amend | Redeem | Move | Accept

Judge = Callable[[Event, Standing], Verdict]
"""The gates, composed. Pure: it is called inside the ingest transaction, with what that transaction read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrival:
    """An event on its way into the database."""

    event: Event
    judge: Judge
    may_claim: bool
    """This worker has room for one more run."""
    now: datetime
    admit_as: int | None = None
    """The role that an unknown account gets on the spot; None: it stays unknown."""
    per_person: bool = False
    """In groups each person has a thread of their own (seat A6)."""


class Fate(StrEnum):
    """What became of an arrival."""

    DROPPED = "dropped"
    SEEN_BEFORE = "seen_before"
    ANSWERED = "answered"
    AMENDED = "amended"
    MOVED = "moved"
    QUEUED = "queued"


# --- deliveries ----------------------------------------------------------------------------------------


class RowKind(StrEnum):
    """What a row of the outbox wants."""

    ANSWER = "answer"
    """The first part of a run: reserved where the platform wants that, filled by its end."""
    PART = "part"
    """A message of its own."""
    AGAIN = "again"
    """Repeat the edit of another row's message, so that a late preview of a dead worker cannot stand last."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A delivery: one message of the outbox."""

    id: int
    key: str
    room_key: str
    kind: RowKind
    anchor: str = ""
    body: Part | None = None
    """None while the run still works on it."""
    message_id: str = ""
    """The platform's id, once the message stands."""
    attempt: int = 0
    created_at: datetime
    ambiguous: bool = False
    """An earlier try may have had its effect."""
    not_before: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RoomLease:
    """The right to send into a room."""

    room_key: str
    fence: int
    direct: bool = False
    """A private chat."""
    taken_over: bool = False
    """It was taken from a worker that died: previews of its may still be under way."""


# --- runs --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredItem:
    """One entry of a thread's append-only log. What `body` holds is the agent's business (`agent/items.py`)."""

    kind: str
    body: dict[str, Any]
    seq: int = 0
    """Its place in the thread; 0 before it is stored."""
    run_id: int = 0
    message_key: str = ""
    """`<room key>#<message id>` of the message it came from, so that an edit finds it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Intent:
    """A tool call with a side effect that began and is not known to have ended."""

    key: str
    idem_key: str
    body: dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One run, ours to work on, with all that it needs."""

    thread_id: int
    fence: int
    run_id: int
    attempt: int
    """1 for the first try."""
    first_seq: int
    last_seq: int
    """The events it answers, by their place in the thread."""
    requester: Person
    room: Room
    direct: bool
    title: str
    events: tuple[Event, ...]
    """What it answers, in order."""
    command: str = ""
    history: tuple[StoredItem, ...] = ()
    """The tail of the thread, oldest first; includes what earlier tries of this run committed."""
    intents: tuple[Intent, ...] = ()
    """Of earlier tries, without an end."""
    model_pin: str = ""
    agent: str = ""
    cancelled: bool = False
    """`/stop` came before it began (mechanism K18)."""
    row: Row | None = None
    """Its reserved answer, where the platform wants one."""
    room_lease: RoomLease | None = None
    """Set where the claim also took the room."""
    drained: int = 0
    """Runs already worked in this tenure of the thread."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ingested:
    """What ingest did."""

    fate: Fate
    claim: Claim | None = None
    """Where the thread was idle and this worker free, the run is claimed in the same commit."""
    rows: tuple[Row, ...] = ()
    """Answers of gates, to be delivered."""
    room_lease: RoomLease | None = None
    control: ControlClaim | None = None
    """A control word, claimed in the same commit."""
    person: Person | None = None
    thread_id: int = 0
    because: str = ""
    wake_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What one model call took."""

    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    """The part of `tokens_in` that the provider read from its cache."""
    cost_usd: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class StepRecord:
    """One step of a run: committed at once, or first as an intent when a tool has side effects."""

    claim: Claim
    key: str
    items: tuple[StoredItem, ...] = ()
    intents: tuple[Intent, ...] = ()
    """Begun by this record."""
    ended: tuple[str, ...] = ()
    """Keys of intents that have ended."""
    decisions: tuple[Decision, ...] = ()
    usage: tuple[Usage, ...] = ()
    now: datetime


class RunOutcome(StrEnum):
    """How a run ended (appendix 2 of the seats)."""

    SUCCESS = "success"
    ERROR = "error"
    CANCELLED = "cancelled"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finish:
    """The end of a run: journal, answer, status and usage in one transaction (mechanism K16)."""

    claim: Claim
    outcome: RunOutcome
    parts: tuple[Part, ...]
    """Never empty: somebody waits."""
    items: tuple[StoredItem, ...] = ()
    decisions: tuple[Decision, ...] = ()
    usage: tuple[Usage, ...] = ()
    stop_reason: str = ""
    error: str = ""
    effects: tuple[Effect, ...] = ()
    rollback: bool = False
    """Drop what this run added to the thread (mechanism K26)."""
    may_claim: bool = True
    now: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """What finish left to do."""

    rows: tuple[Row, ...] = ()
    room_lease: RoomLease | None = None
    """The room, taken now where the run had reserved nothing."""
    next: Claim | None = None
    more: bool = False
    """Something else became ready: it should be looked for at once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlClaim:
    """A control word, ours to answer."""

    inbox_id: int
    thread_id: int
    command: str
    event: Event
    requester: Person


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlFinish:
    """The answer of a control word, with what it changes."""

    claim: ControlClaim
    parts: tuple[Part, ...]
    effects: tuple[Effect, ...] = ()
    now: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlFinished:
    """What the control word left to do."""

    rows: tuple[Row, ...] = ()
    room_lease: RoomLease | None = None
    stopped: tuple[int, ...] = ()
    """Runs that shall stop."""


# --- what deliveries commit -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """One fact about one row."""

    row_id: int
    status: str
    """`open`, `pending`, `sent`, `unknown` or `dead`."""
    message_id: str = ""
    attempt: int = 0
    next_at: datetime | None = None
    body: Part | None = None
    """A plainer form that shall stand from now on."""
    error: str = ""
    aliased: bool = False
    """The message is new: replies to it shall find its room."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivered:
    """What happened to rows of a room that we hold."""

    lease: RoomLease
    marks: tuple[Mark, ...]
    release: bool = False
    """Nothing is left to send there."""
    again_at: datetime | None = None
    """Repeat the edit then, because the room was taken over."""
    notices: tuple[Part, ...] = ()
    """Told to the room because something could not be sent."""
    now: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class RoomWork:
    """A room that we hold, with the rows that wait there, in order."""

    lease: RoomLease
    rows: tuple[Row, ...] = field(default=())
