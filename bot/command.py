"""Command: one control word, what it takes, who may use it and what it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum

from bot.desk import Desk
from bot.people import Person, Role
from bot.replies import Reply


class Lane(StrEnum):
    """Which queue an event waits in."""

    THREAD = "thread"
    """In order with the conversation."""
    CONTROL = "control"
    """Beside it: answered while a run is busy."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NewThread:
    """Give the room a fresh thread; what waits behind this command moves there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PinModel:
    """Use this model on the thread; an empty name follows the agent's own again."""

    model: str


@dataclass(frozen=True, kw_only=True, slots=True)
class StopRun:
    """Cancel what runs on the thread, or what waits there when nothing runs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rerun:
    """Drop what the agent last answered here and answer again, in this command's own run."""


Effect = NewThread | PinModel | StopRun | Rerun


@dataclass(frozen=True, kw_only=True, slots=True)
class Invocation:
    """A command as it was said."""

    name: str
    argument: str
    """Everything behind the name, trimmed."""
    person: Person
    thread_id: int
    room_key: str
    direct: bool
    desk: Desk


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What a command answers, and what shall be changed in the same transaction."""

    reply: Reply = field(default_factory=Reply)
    effects: tuple[Effect, ...] = ()


Handler = Callable[[Invocation], Awaitable[Outcome]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """One file in `commands/` offers one as `COMMAND`."""

    name: str
    summary: str
    """One line for `/help` and the platforms' menus, at most 100 characters."""
    handler: Handler
    usage: str = ""
    """The arguments, as in `[NAME|auto]`."""
    lane: Lane = Lane.CONTROL
    role: Role = Role.MEMBER
    """The lowest role that may use it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A control word in a text."""

    name: str
    argument: str = ""
    """Everything behind the name, trimmed."""
    prefix: str = "/"
