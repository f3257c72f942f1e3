"""What came in: the words every adapter translates its platform's payloads into."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson


class Kind(StrEnum):
    """What happened, for every platform."""

    MESSAGE = "message"
    EDIT = "edit"
    DELETE = "delete"
    CLICK = "click"
    FORM = "form"
    COMMAND = "command"
    REACTION = "reaction"
    MEMBERSHIP = "membership"
    MOVED = "moved"
    WEBHOOK = "webhook"


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """One place where one conversation happens."""

    platform: str
    workspace: str
    """The account of ours that sees it: a bot id, a team id."""
    chat: str
    topic: str = ""
    """Empty where the platform has none, or for its general topic."""

    @property
    def key(self) -> str:
        """The room as one stable string; a slash inside a part is kept apart from those between parts."""
        return "/".join((self.platform, _escape(self.workspace), _escape(self.chat), _escape(self.topic)))

    @classmethod
    def from_key(cls, key: str) -> Room:
        platform, workspace, chat, topic = key.split("/")
        return cls(platform=platform, workspace=_plain(workspace), chat=_plain(chat), topic=_plain(topic))

    def message_key(self, message_id: str) -> str:
        """Return a message of this chat as one stable string: its id is unique there, whatever the topic."""
        return f"{self.platform}/{_escape(self.workspace)}/{_escape(self.chat)}#{message_id}"


def _escape(part: str) -> str:
    if "/" not in part and "%" not in part:
        return part
    return part.replace("%", "%25").replace("/", "%2F")


def _plain(part: str) -> str:
    return part.replace("%2F", "/").replace("%25", "%") if "%" in part else part


@dataclass(frozen=True, kw_only=True, slots=True)
class Author:
    """Who did it, as the platform knows them."""

    id: str
    name: str = ""
    """The display name: untrusted text of any length."""
    is_bot: bool = False
    is_us: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Attachment:
    """A file that came with a message and still lies at the platform."""

    name: str
    handle: str
    """What the platform needs to hand it over: a file id or a URL."""
    media_type: str = "application/octet-stream"
    size: int | None = None
    """Bytes, where the platform says so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Quoted:
    """The message that was replied to or quoted."""

    message_id: str
    author: str = ""
    text: str = ""
    from_us: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One thing that a platform delivered."""

    id: str
    """Unique for ever, made of the platform's own id; redeliveries carry the same."""
    kind: Kind
    room: Room
    author: Author
    received_at: datetime
    direct: bool = False
    """A private chat between one person and the bot."""
    message_id: str = ""
    text: str = ""
    """With mentions resolved; the mention of the bot itself is left out."""
    mentions_bot: bool = False
    for_other_bot: bool = False
    """Explicitly addressed to another bot, as in `/status@OtherBot`."""
    quoted: Quoted | None = None
    files: tuple[Attachment, ...] = ()
    group: str = ""
    """Messages that were sent as one (an album) share it."""
    moved_to: Room | None = None
    """With MOVED: the room's new address."""
    title: str = ""
    """The name of the room or its topic: untrusted text."""
    raw_kind: str = ""
    """The platform's own name of it; an open set."""


def dump(event: Event) -> str:
    """Return the event as JSON text; `load` reads it back."""
    return orjson.dumps(event).decode()


def load(text: str) -> Event:
    """Return the event that `dump` wrote."""
    raw: dict[str, Any] = orjson.loads(text)
    raw["kind"] = Kind(raw["kind"])
    raw["room"] = Room(**raw["room"])
    raw["author"] = Author(**raw["author"])
    raw["received_at"] = datetime.fromisoformat(raw["received_at"])
    raw["files"] = tuple(Attachment(**file) for file in raw["files"])
    if raw["quoted"] is not None:
        raw["quoted"] = Quoted(**raw["quoted"])
    if raw["moved_to"] is not None:
        raw["moved_to"] = Room(**raw["moved_to"])
    return Event(**raw)
