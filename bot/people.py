"""Who somebody is to us: a person, a role, and what we know when they speak."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Role(IntEnum):
    """What somebody may do; a higher role may all that a lower one may."""

    GUEST = 0
    MEMBER = 1
    OPERATOR = 2
    ADMIN = 3
    OWNER = 4

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """A human being, whatever accounts they speak through."""

    id: int
    name: str
    role: Role


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """What is known, at the moment of an event, about who speaks and where."""

    person: Person | None = None
    """None for an account that is bound to nobody."""
    joined: bool = False
    """The bot already takes part in this room's thread."""
    has_admin: bool = True
    """False until the first administrator redeemed the code."""
    quotes_us: bool = False
    """The event replies to a message of ours."""
