"""Service: what every method is handed: the state, the chats, and the way to the changes of membership."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.chats import Chats
from adapters.telegram.simulator.params import Params
from adapters.telegram.simulator.state import State
from adapters.telegram.simulator.webhook import Webhooks


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """The server behind the wire."""

    state: State
    chats: Chats
    webhooks: Webhooks


@dataclass(frozen=True, kw_only=True, slots=True)
class Raw:
    """An answer whose JSON is written already."""

    body: bytes
    result: Any


Handler = Callable[[Service, Bot, Params], Any | Awaitable[Any]]
