"""Tree: what Markdown says, as small values that every platform renders in its own way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Mark(StrEnum):
    """How a stretch of text is set apart."""

    STRONG = "strong"
    EMPHASIS = "em"
    STRIKE = "del"


class Align(StrEnum):
    """Where the text of a table's column stands."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """Characters as they are; never with a line break in them."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Code:
    """Code within a line."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Break:
    """The end of a line inside a paragraph."""

    hard: bool = False
    """Asked for by the author, not only where the source wrapped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Image:
    """A picture that lies elsewhere."""

    url: str
    alt: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Marked:
    """Text set apart."""

    mark: Mark
    children: Inlines


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """Text that leads elsewhere."""

    url: str
    children: Inlines


Inline: TypeAlias = Text | Code | Break | Image | Marked | Link
Inlines: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Paragraph:
    """Lines of text."""

    children: Inlines


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """A title of what follows."""

    level: int
    children: Inlines


@dataclass(frozen=True, kw_only=True, slots=True)
class CodeBlock:
    """Lines of code, without the last line's end."""

    text: str
    language: str = ""
    """One word, or empty."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Quote:
    """What somebody else said."""

    children: Blocks


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One entry of a list."""

    children: Blocks
    checked: bool | None = None
    """None: it is no task."""
    continued: bool = False
    """Its beginning, with the marker, stands in an earlier piece."""


@dataclass(frozen=True, kw_only=True, slots=True)
class List:
    """Entries under each other."""

    items: tuple[Item, ...]
    start: int | None = None
    """The first number; None: bullets."""
    tight: bool = True
    """No blank lines between the items."""


Row: TypeAlias = tuple[Inlines, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Rows of cells."""

    header: Row
    """Empty where an earlier piece showed it already, too long to repeat."""
    rows: tuple[Row, ...]
    aligns: tuple[Align, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """A line across."""


Block: TypeAlias = Paragraph | Heading | CodeBlock | Quote | List | Table | Rule
Blocks: TypeAlias = tuple[Block, ...]
