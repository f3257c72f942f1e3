"""The tables of the durable engine. `storage/versions/` holds the migrations that make them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from storage.types import BigId, Json, UtcTime


def _id() -> Any:
    return Field(default=None, sa_column=sa.Column(BigId, primary_key=True, autoincrement=True))


def _big(*, nullable: bool = False) -> Any:
    return Field(default=None, sa_column=sa.Column(sa.BigInteger(), nullable=nullable))


def _time(*, nullable: bool = False) -> Any:
    return Field(default=None, sa_column=sa.Column(UtcTime(), nullable=nullable))


def _json(*, nullable: bool = False) -> Any:
    return Field(default=None, sa_column=sa.Column(Json, nullable=nullable))


class Worker(SQLModel, table=True):
    """A process that works; it owns threads and rooms while its lease lasts."""

    id: str = Field(primary_key=True)
    name: str
    lease_until: datetime | None = _time(nullable=True)
    """By the database's clock; empty where a file lock is the lease (SQLite)."""
    draining: bool = False
    version: str = ""


class Listener(SQLModel, table=True):
    """What a platform allows once, such as polling an account."""

    platform: str = Field(primary_key=True)
    account: str = Field(primary_key=True)
    owner: str | None = None
    fence: int = Field(default=0, sa_type=sa.BigInteger)


class Person(SQLModel, table=True):
    """A human being."""

    id: int | None = _id()
    name: str
    role: int
    created_at: datetime = _time()


class Connection(SQLModel, table=True):
    """A platform account, bound to a person."""

    platform: str = Field(primary_key=True)
    account: str = Field(primary_key=True)
    person_id: int = Field(sa_column=sa.Column(sa.BigInteger(), nullable=False, index=True))
    created_at: datetime = _time()


class Code(SQLModel, table=True):
    """A one-time code, kept as its hash."""

    hash: str = Field(primary_key=True)
    role: int
    person_id: int | None = _big(nullable=True)
    """Whom it signs in; empty: it makes a new person."""
    expires_at: datetime | None = _time(nullable=True)
    used_at: datetime | None = _time(nullable=True)


class Room(SQLModel, table=True):
    """A room: who may send into it now, and whether the bot takes part."""

    key: str = Field(primary_key=True)
    owner: str | None = None
    fence: int = Field(default=0, sa_type=sa.BigInteger)
    joined: bool = False
    direct: bool = False
    title: str = ""
    taken_from: str | None = None
    """The owner before this one, None when it let go itself."""
    moved_to: str | None = None


class Thread(SQLModel, table=True):
    """Our conversation, and the lane its runs wait in."""

    id: int | None = _id()
    next_seq: int = 0
    next_item: int = 0
    pending: int = 0
    """Runs that are queued or running."""
    owner: str | None = None
    fence: int = Field(default=0, sa_type=sa.BigInteger)
    ready_at: datetime = _time()
    model_pin: str = ""
    agent: str = ""

    __table_args__ = (
        sa.Index(
            "thread_ready", "ready_at", sqlite_where=sa.text("pending > 0"), postgresql_where=sa.text("pending > 0")
        ),
    )


class Topic(SQLModel, table=True):
    """Which thread a room talks in; `person_id` is 0 where the room shares one."""

    room_key: str = Field(primary_key=True)
    person_id: int = Field(sa_column=sa.Column(sa.BigInteger(), primary_key=True, autoincrement=False))
    thread_id: int = Field(sa_column=sa.Column(sa.BigInteger(), nullable=False, index=True))


class Alias(SQLModel, table=True):
    """A message that we sent or joined, and its room."""

    message_key: str = Field(primary_key=True)
    room_key: str


class Inbox(SQLModel, table=True):
    """An event that was accepted. Nothing is acknowledged to a platform before its row is committed."""

    id: int | None = _id()
    dedupe_key: str = Field(unique=True)
    room_key: str
    person_id: int | None = _big(nullable=True)
    lane: str
    command: str = ""
    thread_id: int | None = _big(nullable=True)
    seq: int | None = None
    run_id: int | None = _big(nullable=True)
    """The run that consumed it."""
    message_key: str = Field(default="", index=True)
    payload: str = Field(sa_type=sa.Text)
    received_at: datetime = _time()
    done: bool = False
    owner: str | None = None
    """Of a control word: who answers it."""

    __table_args__ = (
        sa.UniqueConstraint("thread_id", "seq", name="inbox_order"),
        sa.Index(
            "inbox_control",
            "id",
            sqlite_where=sa.text("lane = 'control' AND NOT done"),
            postgresql_where=sa.text("lane = 'control' AND NOT done"),
        ),
    )


class Run(SQLModel, table=True):
    """One pass of the agent, or of a command, over a thread."""

    id: int | None = _id()
    thread_id: int = _big()
    seq: int
    """The `seq` of the first event it answers; it answers all up to the next run's."""
    requester_id: int = _big()
    room_key: str
    status: str
    fence: int = Field(default=0, sa_type=sa.BigInteger)
    attempt: int = 0
    available_at: datetime = _time()
    command: str = ""
    group_key: str = ""
    cancel_requested: bool = False
    outcome: str = ""
    stop_reason: str = ""
    error: str = ""
    code_version: str = ""
    created_at: datetime = _time()
    started_at: datetime | None = _time(nullable=True)
    ended_at: datetime | None = _time(nullable=True)

    __table_args__ = (
        sa.UniqueConstraint("thread_id", "seq", name="run_order"),
        sa.Index(
            "run_one_at_a_time",
            "thread_id",
            unique=True,
            sqlite_where=sa.text("status = 'running'"),
            postgresql_where=sa.text("status = 'running'"),
        ),
        sa.Index(
            "run_waiting",
            "thread_id",
            "seq",
            sqlite_where=sa.text("status IN ('queued', 'running')"),
            postgresql_where=sa.text("status IN ('queued', 'running')"),
        ),
    )


class RunStep(SQLModel, table=True):
    """A step of a run, or a tool call with side effects inside it."""

    __tablename__ = "run_step"

    run_id: int = Field(sa_column=sa.Column(sa.BigInteger(), primary_key=True, autoincrement=False))
    step_key: str = Field(primary_key=True)
    state: str
    """`intent` or `done`."""
    idem_key: str = ""
    output: dict[str, Any] | None = _json(nullable=True)


class Item(SQLModel, table=True):
    """One entry of a thread's append-only log."""

    id: int | None = _id()
    thread_id: int = _big()
    seq: int
    run_id: int = _big()
    kind: str
    body: dict[str, Any] = _json()
    message_key: str = Field(default="", index=True)
    dropped: bool = False
    """Rolled back: kept for the record, never shown to a model."""

    __table_args__ = (
        sa.UniqueConstraint("thread_id", "seq", name="item_order"),
        sa.Index("item_run", "run_id"),
    )


class Outbox(SQLModel, table=True):
    """A delivery: one message that a room shall see."""

    id: int | None = _id()
    idem_key: str = Field(unique=True)
    room_key: str
    run_id: int | None = _big(nullable=True)
    kind: str
    anchor: str = ""
    body: dict[str, Any] | None = _json(nullable=True)
    status: str
    """`open` (the run still works on it), `pending`, `sent`, `unknown` or `dead`."""
    attempt: int = 0
    next_at: datetime | None = _time(nullable=True)
    platform_message_id: str = ""
    created_at: datetime = _time()
    error: str = ""

    __table_args__ = (
        sa.Index(
            "outbox_waiting",
            "room_key",
            "id",
            sqlite_where=sa.text("status IN ('open', 'pending')"),
            postgresql_where=sa.text("status IN ('open', 'pending')"),
        ),
        sa.Index("outbox_run", "run_id"),
    )


class Decision(SQLModel, table=True):
    """What the seats decided in one step of a run: one row of the journal."""

    run_id: int = Field(sa_column=sa.Column(sa.BigInteger(), primary_key=True, autoincrement=False))
    step_key: str = Field(primary_key=True)
    body: list[Any] = _json()


class Usage(SQLModel, table=True):
    """What one model call took."""

    id: int | None = _id()
    run_id: int = _big()
    person_id: int = _big()
    room_key: str
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost_usd: float = 0.0
    at: datetime = Field(sa_column=sa.Column(UtcTime(), nullable=False, index=True))


class Mark(SQLModel, table=True):
    """A fact about this database as a whole."""

    name: str = Field(primary_key=True)
    value: str


def _table(model: type[SQLModel]) -> sa.Table:
    table: sa.Table = model.__table__  # type: ignore[attr-defined]
    return table


WORKER = _table(Worker)
LISTENER = _table(Listener)
PERSON = _table(Person)
CONNECTION = _table(Connection)
CODE = _table(Code)
ROOM = _table(Room)
THREAD = _table(Thread)
TOPIC = _table(Topic)
ALIAS = _table(Alias)
INBOX = _table(Inbox)
RUN = _table(Run)
RUN_STEP = _table(RunStep)
ITEM = _table(Item)
OUTBOX = _table(Outbox)
DECISION = _table(Decision)
USAGE = _table(Usage)
MARK = _table(Mark)
