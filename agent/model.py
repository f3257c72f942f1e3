"""Model: `ask(request, on_text) -> Answer`. What every provider is spoken to with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from bot.errors import DeckhandError
from bot.work import Usage


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """A tool call, as the model wrote it."""

    id: str
    name: str
    arguments: str
    """JSON text of an object, if the model did it right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SystemMessage:
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class UserMessage:
    text: str
    images: tuple[str, ...] = ()
    """`data:` URLs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AssistantMessage:
    text: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolMessage:
    call_id: str
    name: str
    text: str


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolSpec:
    """A tool, as the model is told of it."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments: an object."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One model call."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    thinking: bool = False
    effort: str = ""
    """Empty: the provider's default."""
    temperature: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came back."""

    text: str
    calls: tuple[Call, ...]
    finish: str
    """The provider's own word for why it ended: `stop`, `length`, `content_filter`, … an open set; may be empty."""
    usage: Usage


class ProviderError(DeckhandError):
    """A model call failed; seat C2 decides from these facts what follows."""

    def __init__(
        self, message: str, *, kind: str, status: int | None = None, code: str = "", retry_after: float | None = None
    ) -> None:
        self.kind = kind
        """`http`, `connection`, `timeout`, `gap` (silence inside a stream), `stream` (broken stream), `empty`, or
        `circuit` (not asked, because it failed too often just now)."""
        self.status = status
        self.code = code
        """The provider's own code or type, such as `insufficient_quota`; empty when it gave none."""
        self.retry_after = retry_after
        """Seconds."""
        self.spent: tuple[Usage, ...] = ()
        """What answers took that came before the failure, and are not used."""
        super().__init__(message)


class Model(Protocol):
    """One profile, ready to be asked."""

    @property
    def name(self) -> str:
        """The profile's name."""
        ...

    async def ask(self, request: Request, on_text: Callable[[str], None]) -> Answer:
        """Stream one answer; `on_text` gets each piece of visible text as it comes.

        Raises `ProviderError`. Cancelling the task ends the call at the provider.
        """
        ...

    async def close(self) -> None: ...
