"""Desk: what commands may ask, and the facts they get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.people import Role


@dataclass(frozen=True, kw_only=True, slots=True)
class ThreadFacts:
    """What `/status` tells of a thread."""

    thread_id: int
    running: bool
    running_since: datetime | None
    queued: int
    items: int
    model_pin: str


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageLine:
    """Model use, summed."""

    model: str
    runs: int
    tokens_in: int
    tokens_out: int
    cost_usd: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelFacts:
    """What `/models` tells of a profile."""

    name: str
    title: str
    vision: bool
    tools: bool
    context_tokens: int
    default: bool = False
    """The agent's own: it answers where nobody pinned another."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandFacts:
    """What `/help` tells of a control word."""

    name: str
    summary: str
    usage: str
    role: Role


class Desk(Protocol):
    """What commands may ask."""

    async def thread(self, thread_id: int) -> ThreadFacts: ...

    async def usage(
        self, *, since: datetime, person_id: int | None = None, room_key: str | None = None
    ) -> Sequence[UsageLine]: ...

    def models(self) -> Sequence[ModelFacts]:
        """The profiles; the first one answers in the place of one that is set up no more."""
        ...

    def commands(self) -> Sequence[CommandFacts]:
        """Every control word, sorted."""
        ...

    def now(self) -> datetime: ...
