"""Builders for everything around a model: valid by default, one change at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from agent.model import (
    Answer,
    AssistantMessage,
    Call,
    Message,
    Model,
    ProviderError,
    Request,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from agent.provider import Supplies
from bot.clock import Clock
from bot.settings import Profile

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@dataclass
class PatientClock:
    """A clock on which every sleep is over at once, and written down."""

    slept: list[float] = field(default_factory=list)
    at: float = 1000.0

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.at - 1000.0)

    def monotonic(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds


def a_profile(**changes: Any) -> Profile:
    """Return a profile of an OpenAI-compatible model."""
    fields: dict[str, Any] = {"name": "first", "provider": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1"}
    return Profile(**(fields | changes))


def supplies(*, key: str = "sk-test-0123456789", gap_seconds: float = 30.0, clock: Clock | None = None) -> Supplies:
    """Return what a model needs."""
    return Supplies(clock=clock or PatientClock(), key=key, gap_seconds=gap_seconds)


def a_request(*messages: Message, **changes: Any) -> Request:
    """Return a request; without messages somebody says hello."""
    return Request(messages=messages or (UserMessage(text="hello"),), **changes)


def a_tool(name: str = "weather") -> ToolSpec:
    """Return a tool that takes a city."""
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    return ToolSpec(name=name, description="Say how the weather is", parameters=schema)


def a_tool_turn() -> tuple[Message, ...]:
    """Return a conversation in which a tool was called and answered."""
    return (
        SystemMessage(text="You help."),
        UserMessage(text="Weather in Oslo?"),
        AssistantMessage(calls=(Call(id="c1", name="weather", arguments='{"city":"Oslo"}'),)),
        ToolMessage(call_id="c1", name="weather", text="rain"),
    )


async def ask(model: Model, request: Request | None = None) -> tuple[Answer, list[str]]:
    """Return the answer and the pieces that were shown."""
    pieces: list[str] = []
    answer = await model.ask(request or a_request(), pieces.append)
    return answer, pieces


async def failure(model: Model, request: Request | None = None) -> ProviderError:
    """Return the error that the model raises."""
    try:
        answer, _ = await ask(model, request)
    except ProviderError as error:
        return error
    raise AssertionError(f"no error but {answer}")
