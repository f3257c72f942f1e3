"""Desk: the questions that commands ask of the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from bot.clock import Clock
from bot.desk import CommandFacts, ModelFacts, ThreadFacts, UsageLine
from storage.claims import WAITING
from storage.database import Database
from storage.tables import RUN, THREAD, USAGE


def thread_facts(connection: sa.Connection, thread_id: int) -> ThreadFacts:
    """Return what `/status` tells of a thread."""
    thread = connection.execute(sa.select(THREAD.c.next_item, THREAD.c.model_pin).where(THREAD.c.id == thread_id)).one()
    running_since = connection.execute(
        sa.select(RUN.c.started_at).where(RUN.c.thread_id == thread_id, WAITING, RUN.c.status == "running")
    ).first()
    queued = connection.execute(
        sa.select(sa.func.count())
        .select_from(RUN)
        .where(RUN.c.thread_id == thread_id, WAITING, RUN.c.status == "queued")
    ).scalar_one()
    return ThreadFacts(
        thread_id=thread_id,
        running=running_since is not None,
        running_since=running_since[0] if running_since is not None else None,
        queued=queued,
        items=thread.next_item,
        model_pin=thread.model_pin,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageQuestion:
    """Model use since a time, of everyone, a person or a room."""

    since: datetime
    person_id: int | None = None
    room_key: str | None = None


def usage(connection: sa.Connection, question: UsageQuestion) -> Sequence[UsageLine]:
    """Return model use, summed by model, the dearest first."""
    query = sa.select(
        USAGE.c.model,
        sa.func.count(sa.distinct(USAGE.c.run_id)).label("runs"),
        sa.func.sum(USAGE.c.tokens_in).label("tokens_in"),
        sa.func.sum(USAGE.c.tokens_out).label("tokens_out"),
        sa.func.sum(USAGE.c.cost_usd).label("cost_usd"),
    ).where(USAGE.c.at >= question.since)
    if question.person_id is not None:
        query = query.where(USAGE.c.person_id == question.person_id)
    if question.room_key is not None:
        query = query.where(USAGE.c.room_key == question.room_key)
    rows = connection.execute(query.group_by(USAGE.c.model).order_by(sa.desc("cost_usd"), USAGE.c.model)).all()
    return [
        UsageLine(
            model=row.model,
            runs=row.runs,
            tokens_in=int(row.tokens_in),
            tokens_out=int(row.tokens_out),
            cost_usd=float(row.cost_usd),
        )
        for row in rows
    ]


def spent(connection: sa.Connection, since: datetime) -> float:
    """Return what all model calls since a time cost, in US dollars."""
    return float(
        connection.execute(
            sa.select(sa.func.coalesce(sa.func.sum(USAGE.c.cost_usd), 0.0)).where(USAGE.c.at >= since)
        ).scalar_one()
    )


class SqlDesk:
    """`bot.desk.Desk` over a database; the facts that do not change are handed in."""

    def __init__(
        self, database: Database, clock: Clock, models: Sequence[ModelFacts], commands: Sequence[CommandFacts]
    ) -> None:
        self._database = database
        self._clock = clock
        self._models = models
        self._commands = commands

    async def thread(self, thread_id: int) -> ThreadFacts:
        return await self._database.read(thread_facts, thread_id)

    async def usage(
        self, *, since: datetime, person_id: int | None = None, room_key: str | None = None
    ) -> Sequence[UsageLine]:
        question = UsageQuestion(since=since, person_id=person_id, room_key=room_key)
        return await self._database.read(usage, question)

    async def spent(self, since: datetime) -> float:
        """Return what all model calls since a time cost, in US dollars."""
        return await self._database.read(spent, since)

    def models(self) -> Sequence[ModelFacts]:
        return self._models

    def commands(self) -> Sequence[CommandFacts]:
        return self._commands

    def now(self) -> datetime:
        return self._clock.now()
