"""Transcript: what a page of ours keeps of a conversation, as values that its adapter and storage share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Side(StrEnum):
    """Who wrote a message."""

    PERSON = "person"
    BOT = "bot"


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message of a conversation, as it stands now."""

    id: int
    conversation: str
    account: str
    """The account whose conversation it is."""
    title: str
    """What the conversation is called."""
    key: str
    """The same for every try to write it."""
    side: Side
    body: dict[str, Any]
    """JSON in the page's own words."""
    change: int
    """The conversation's change that made it look like this."""
    removed: bool
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """One line in somebody's list of conversations."""

    id: str
    account: str
    title: str
    change: int
    """The number of its latest change."""
    changed_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Writing:
    """A message on its way into the transcript."""

    conversation: str
    account: str
    key: str
    body: dict[str, Any]
    now: datetime
    title: str = ""
    """Given to a conversation that has none yet."""
    files: tuple[str, ...] = ()
    """Ids of stored files that it carries."""
    placeholder: bool = False
    """It says nothing yet, and replaces nothing that stands under its key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Filling:
    """What a message of ours shall show from now on; without a body it is taken back."""

    conversation: str
    message_id: int
    body: dict[str, Any] | None
    now: datetime
    account: str = ""
    files: tuple[str, ...] = ()
    """Ids of stored files of this account that it carries."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Since:
    """A question for the changes after one, at most so many."""

    conversation: str
    change: int
    limit: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """A question for the newest messages before one."""

    conversation: str
    limit: int
    before: int | None = None
    """A message id; None: the end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """A stretch of a conversation, oldest first, and the change that it is as new as."""

    messages: tuple[Message, ...]
    change: int
    more: bool
    """There are earlier messages."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredFile:
    """A file that somebody uploaded or the bot handed over; its bytes lie on disk under its id."""

    id: str
    account: str
    name: str
    media_type: str
    size: int
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """A browser that is signed in."""

    token_hash: str
    account: str
    name: str
    expires_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """One thing, looked at or ended at a time."""

    id: str
    now: datetime
