"""What the agent asks of the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from agent.model import Model
from bot.adapter import Capabilities
from bot.clock import Clock
from bot.events import Attachment, Room
from bot.replies import Part, Reply
from bot.work import Finish, Finished, StepRecord


class Steps(Protocol):
    """Where steps are committed; a part of `bot.ports.Engine`. Both raise `Fenced` and `StorageBusy`."""

    async def commit_step(self, record: StepRecord) -> None: ...

    async def finish(self, finish: Finish) -> Finished: ...


class Live(Protocol):
    """The run's message as people see it grow."""

    def show(self, text: str) -> None:
        """Show the whole text so far; cheap, paced elsewhere, may be lost."""
        ...

    @property
    def cancelled(self) -> bool:
        """Somebody wants the run stopped."""
        ...

    async def wait_cancelled(self) -> None: ...


class Fetcher(Protocol):
    """A platform, as far as it hands over files; a part of `bot.adapter.Connection`."""

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        """Write an attachment's bytes to a new file; raises one of `DeliveryError`."""
        ...


class Budget(Protocol):
    """What models have cost."""

    async def spent(self, since: datetime) -> float:
        """Return dollars, over the whole installation."""
        ...


class ModelSource(Protocol):
    """Models by the name of their profile; `agent.factory.Models`."""

    def get(self, name: str) -> Model:
        """Raises `SettingsError`."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """The platform of a room."""

    capabilities: Capabilities
    render: Callable[[Reply], tuple[Part, ...]]
    fetcher: Fetcher


Places = Callable[[Room], Place]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ports:
    """All of it."""

    steps: Steps
    places: Places
    budget: Budget
    clock: Clock
