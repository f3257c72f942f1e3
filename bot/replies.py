"""What goes out: replies as the bot says them, parts as a platform takes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bot.cards import Card


@dataclass(frozen=True, kw_only=True, slots=True)
class OutFile:
    """A file to hand over; its bytes lie on our disk."""

    name: str
    path: Path
    media_type: str = "application/octet-stream"

    @property
    def is_image(self) -> bool:
        return self.media_type.startswith("image/")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """One thing the bot says."""

    text: str = ""
    """CommonMark with GFM tables, strikethrough and task lists."""
    files: tuple[OutFile, ...] = ()
    card: Card | None = None


class PartKind(StrEnum):
    """How a part is carried."""

    TEXT = "text"
    FILE = "file"


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One message of a platform: rendered, within its limits, ready to be stored."""

    kind: PartKind = PartKind.TEXT
    body: dict[str, Any] = field(default_factory=dict)
    """JSON in the adapter's own words; nobody else looks inside."""
