"""Outlets: the open platforms, as the path sends through them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.adapter import Adapter, Connection
from bot.pacing import Bucket


@dataclass(frozen=True, kw_only=True, slots=True)
class Outlet:
    """One open account at a platform."""

    adapter: Adapter
    connection: Connection
    pace: Bucket = field(default_factory=lambda: Bucket(0.0, 1.0))
    """What all its rooms together may be sent."""
    room_paced: bool = True
    """Whether single rooms are paced too."""


Outlets = Mapping[str, Outlet]
"""By the platform's name, as in `Room.platform`."""


def platform_of(room_key: str) -> str:
    """Return the platform that a room belongs to."""
    return room_key.partition("/")[0]
