"""Adapter: what every platform offers. One folder in `adapters/` fulfils it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bot.clock import Clock
from bot.command import Command
from bot.events import Attachment, Event, Room
from bot.replies import Part, Reply


@dataclass(frozen=True, kw_only=True, slots=True)
class Capabilities:
    """What the bot's path must know about a platform; everything else stays in its folder."""

    reserves: bool
    """The first visible message is a placeholder, filled later by an edit; else parts are posted when complete."""
    edits: bool = True
    """A sent text can be edited, so answers can be previewed while they grow."""
    preview_seconds_direct: float = 1.0
    """The shortest time between two previews in a private chat."""
    preview_seconds_group: float = 3.0
    posts_per_second: float = 30.0
    """What all rooms together may be sent."""
    room_seconds: float = 0.0
    """The shortest time between two posts into one room; bursts of `room_burst` are let through."""
    room_burst: int = 20
    request_seconds: float = 20.0
    """How long one call may take; after a takeover the final edit is repeated this much later."""
    notifies_by_post: bool = False
    """Only a new message alerts people, so a long run ends with one that names the asker."""
    unattended: bool = False
    """Nobody watches this platform's rooms live (seat D12)."""
    can_edit_itself: bool = True
    """Whether an agent may rewrite itself from here (seat A16)."""
    max_file_bytes: int = 50_000_000
    max_fetch_bytes: int = 20_000_000
    command_prefixes: tuple[str, ...] = ("/", "!")


@dataclass(frozen=True, kw_only=True, slots=True)
class Accepted:
    """Said by intake after the commit: the platform may be acknowledged now."""

    seen_before: bool = False


Deliver = Callable[[Sequence[Event]], Awaitable[Sequence[Accepted]]]
"""Intake, as adapters call it: commit the events in order, then return. It raises only `StorageBusy`:
nothing of the batch may be acknowledged then, and the platform shall deliver it again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Toolkit:
    """What assembly hands an adapter when it opens."""

    environment: Mapping[str, str]
    """The keys that the adapter declared, as far as they are set."""
    options: Mapping[str, Any]
    """Its section `[adapters.NAME]` of `bot.toml`."""
    home: Path
    clock: Clock
    commands: Sequence[Command]
    ports: Mapping[str, Any]
    """Ports that only some adapters need, by the name that the adapter's folder documents."""


class Connection(Protocol):
    """One open account at a platform: it listens and sends. The edge that touches the network."""

    @property
    def account(self) -> str:
        """Our own id at the platform; `Room.workspace` of its events where rooms are seen per bot."""
        ...

    @property
    def listens_alone(self) -> bool:
        """Only one worker of an installation may listen to this account."""
        ...

    async def listen(self, deliver: Deliver) -> None:
        """Receive until cancelled. Network trouble is retried inside and logged; a bad payload never ends it."""
        ...

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        """Send a part, or a placeholder where it is None, and return the message id.

        `key` is the same for every try of one row, `anchor` the message to reply to (empty: none).
        Raises one of `DeliveryError`.
        """
        ...

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        """Make the message show this part. Repeating it changes nothing. Raises one of `DeliveryError`."""
        ...

    async def remove(self, room: Room, message_id: str) -> None:
        """Take a message of ours back, where the platform lets us."""
        ...

    async def find(self, room: Room, *, key: str) -> str | None:
        """Return the id of the message that an earlier try with this key left there, None where it cannot be known."""
        ...

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        """Write an attachment's bytes to a new file; raises `Refused` when it is larger than `limit` bytes or gone."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One finding of `deckhand doctor`."""

    ok: bool
    title: str
    fix: str = ""
    """What to do, when it is not ok."""


class Adapter(Protocol):
    """A platform. Its folder offers one as `ADAPTER`."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def environment(self) -> Mapping[str, str]:
        """Environment keys, each with a sentence for `.env.example`; the first one turns the adapter on."""
        ...

    @property
    def options(self) -> Mapping[str, Any]:
        """Keys of `[adapters.NAME]` with their defaults."""
        ...

    def render(self, reply: Reply) -> tuple[Part, ...]:
        """Return the messages that say the reply, each within every limit, nothing lost. Pure.

        Never empty: a reply without anything to show is one part that says so.
        """
        ...

    def preview(self, text: str) -> Part:
        """Return the first message of an answer that is still growing. Pure."""
        ...

    def plainer(self, part: Part) -> Part | None:
        """Return the same content in a form that cannot be refused for its formatting, None if it is that already."""
        ...

    async def open(self, toolkit: Toolkit) -> Connection:
        """Sign in and return the account; raises `StartError` with the cure when the platform says no."""
        ...

    async def doctor(self, toolkit: Toolkit) -> Sequence[Check]:
        """Check token, reachability and rights."""
        ...
