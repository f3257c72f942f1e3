"""Cards: a question or a choice, in one typed language that every platform renders natively."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FieldKind(StrEnum):
    """What a field takes."""

    TEXT = "text"
    LONG_TEXT = "long_text"
    NUMBER = "number"
    CHOICE = "choice"
    MANY = "many"
    PERSON = "person"
    DATE = "date"
    CHECKBOX = "checkbox"


class Style(StrEnum):
    """How strongly an action stands out."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"


@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """One thing to choose."""

    label: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One thing to fill in."""

    name: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    options: tuple[Option, ...] = ()
    required: bool = True
    placeholder: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Action:
    """One button."""

    label: str
    value: str
    """A control word such as `/stop`: pressing the button says it."""
    style: Style = Style.PLAIN


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """Text, fields and actions that belong together."""

    text: str = ""
    fields: tuple[Field, ...] = ()
    actions: tuple[Action, ...] = ()
    deadline: datetime | None = None
    answerers: tuple[int, ...] = ()
    """Persons who may answer; empty means everyone who may speak here."""
    quorum: int = 1
    requester_may_answer: bool = True
