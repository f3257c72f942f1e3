"""Trial: an adapter with its platform around it, as the contract suite drives both."""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from adapters._shared.simulator.shown import Shown
from bot.adapter import Adapter, Connection, Toolkit
from bot.events import Room
from bot.replies import Part, Reply


class Trouble(StrEnum):
    """What a platform may do to a call."""

    RATE_LIMITED = "rate limited"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    """There is no connection."""
    LOST_ANSWER = "lost answer"
    """It does what was asked, and nobody hears of it."""
    BROKEN = "broken"
    """It answers that something broke on its side, in 5xx or whatever its word for that is."""


RETRY_AFTER = 7.0
"""The pause that a platform asks for in the suite."""

POST, FILL = "post", "fill"

Answer = str | Mapping[str, str]
"""Of a checklist: `done`, or the reason of an exemption."""


class Trial(ABC):
    """One platform with a person in it, and our account there."""

    adapter: Adapter
    connection: Connection
    answers: Mapping[str, Answer]
    """The adapter's checklist."""
    room: Room
    """Where person and bot talk."""
    topics: tuple[Room, Room]
    """Two rooms that only their topic tells apart."""
    secrets: tuple[str, ...]
    """What no error may show."""
    lacks: Mapping[Trouble, str] = {}
    """Troubles that cannot happen there, with the reason."""

    # --- the person -------------------------------------------------------------------------------------

    @abstractmethod
    async def say(self, text: str, room: Room | None = None) -> str:
        """Say something and return the message's id, empty where the platform did not take it yet."""

    @abstractmethod
    async def send(self, *files: tuple[str, bytes]) -> None:
        """Send files together, as one."""

    @abstractmethod
    async def press(self, message_id: str, place: int) -> None:
        """Press a button of a message, counted from 0."""

    @abstractmethod
    async def edit(self, message_id: str, text: str) -> None:
        """Change what was said; asked only of platforms that offer it."""

    @abstractmethod
    async def shown(self, room: Room | None = None) -> Sequence[Shown]:
        """Return what the bot's messages show in a room now, oldest first."""

    # --- the platform -----------------------------------------------------------------------------------

    @abstractmethod
    async def garble(self) -> None:
        """Let something arrive that nobody understands."""

    @abstractmethod
    async def take_away(self, message_id: str) -> None:
        """Let a message of the bot disappear."""

    @abstractmethod
    async def closed(self) -> Room:
        """Return a room that is closed to the bot."""

    @abstractmethod
    async def strike(self, trouble: Trouble, call: str) -> None:
        """Let the next `post` or `fill` go wrong."""

    @abstractmethod
    async def heal(self) -> None:
        """End all trouble."""

    @abstractmethod
    async def settled(self) -> None:
        """Return once the platform has nothing left to deliver: everything was confirmed."""

    def complaints(self) -> Sequence[str]:
        """Return what the platform found wrong in calls that it took all the same."""
        return ()

    # --- the account ------------------------------------------------------------------------------------

    @abstractmethod
    def toolkit(self) -> Toolkit:
        """Return what the account was opened with."""

    @abstractmethod
    def bad_toolkit(self) -> Toolkit:
        """Return a toolkit with which the account cannot be opened."""

    async def restart(self) -> None:
        """Open the account anew, as the next process does after a crash."""
        await self.connection.close()
        self.connection = await self.adapter.open(self.toolkit())

    # --- shorthands -------------------------------------------------------------------------------------

    def does(self, rule: str) -> bool:
        """Say whether the checklist claims a rule."""
        return self.answers[rule] == "done"

    def part(self, text: str) -> Part:
        """Return a rendered text."""
        return self.adapter.render(Reply(text=text))[0]

    async def post(self, part: Part | None, key: str, *, room: Room | None = None, anchor: str = "") -> str:
        return await self.connection.post(room or self.room, part, key=key, anchor=anchor)

    async def fill(self, message_id: str, part: Part) -> None:
        await self.connection.fill(self.room, message_id, part)

    async def message(self, message_id: str) -> Shown:
        """Return one message of the bot."""
        found = [one for one in await self.shown() if one.id == message_id]
        assert found, f"nobody sees the message {message_id!r}"
        return found[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rig:
    """What a file of this folder offers as `RIG`."""

    name: str
    adapter: Adapter
    answers: Mapping[str, Answer]
    start: Callable[[Path], AbstractAsyncContextManager[Trial]]
    """Start the platform, with a home for the bot."""


def checklist(folder: Path) -> dict[str, Any]:
    """Return the answers, or in the shared folder the rules, of a checklist."""
    rules: dict[str, Any] = tomllib.loads((folder / "checklist.toml").read_text())["rules"]
    return rules
