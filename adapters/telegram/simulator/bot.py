"""Bot: one bot of the simulator, as its token names it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapters.telegram.simulator.updates import UpdateQueue


@dataclass(slots=True, eq=False)
class Bot:
    """One bot."""

    id: int
    username: str
    updates: UpdateQueue
    name: str = "Deckhand"
    privacy: bool = False
    """Privacy mode: https://core.telegram.org/bots/features#privacy-mode"""
    claimed: bool = False
    """A token has named it; until then its id may still become another."""
    commands: dict[tuple[str, str], list[dict[str, str]]] = field(default_factory=dict)
    """Lists of commands by scope and language."""
    secret: str = ""
    """What its webhook is sent as proof."""
    webhook_error: str = ""
    webhook_error_at: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return it as the author of a message."""
        return {"id": self.id, "is_bot": True, "first_name": self.name, "username": self.username}

    def me(self) -> dict[str, Any]:
        """https://core.telegram.org/bots/api#getme"""
        return {
            **self.to_json(),
            "can_join_groups": True,
            "can_read_all_group_messages": not self.privacy,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
        }
