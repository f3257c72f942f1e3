"""Provider: how the profiles of one family become models. One file in `agent/models/` offers one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.model import Model
from bot.clock import Clock
from bot.settings import Profile


@dataclass(frozen=True, kw_only=True, slots=True)
class Supplies:
    """What a model needs besides its profile."""

    clock: Clock
    key: str = ""
    """The secret; empty where the provider asks for none."""
    gap_seconds: float = 240.0
    """The longest silence inside an answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """A family of models that is spoken to in one way."""

    name: str
    build: Callable[[Profile, Supplies], Model]
    """Return a model without touching the network; raises `SettingsError` where the profile cannot work."""
