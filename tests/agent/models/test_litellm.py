"""Through the real library, against a local server that is as strict as Anthropic's."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agent.model import AssistantMessage, UserMessage
from agent.models.litellm import LiteLLMModel, build, load
from bot.settings import Thinking
from tests.support.anthropic_stub import AnthropicStub, refuses, streams, text, tool_use
from tests.support.models import a_profile, a_request, a_tool, a_tool_turn, ask, failure, supplies

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


@pytest.fixture
async def stub() -> AsyncIterator[AnthropicStub]:
    async with AnthropicStub() as server:
        yield server
        assert server.complaints == []


def a_model(stub: AnthropicStub, *, gap_seconds: float = 30.0, key: str = "", **changes: Any) -> LiteLLMModel:
    profile = a_profile(provider="anthropic", model="claude-sonnet-4-5", base_url=stub.url, max_tokens=100, **changes)
    return build(profile, supplies(key=key or stub.key, gap_seconds=gap_seconds))


async def test_an_answer_streams(stub: AnthropicStub) -> None:
    stub.answers.append(streams(text("Hel", "lo")))
    answer, pieces = await ask(a_model(stub, usd_in=1.0))
    assert (answer.text, "".join(pieces), answer.finish) == ("Hello", "Hello", "stop")
    assert (answer.usage.tokens_in, answer.usage.tokens_out) == (10, 2)
    assert answer.usage.cost_usd == pytest.approx(10 / 1_000_000)


async def test_parallel_calls_come_whole(stub: AnthropicStub) -> None:
    uses = (tool_use("toolu_1", "weather", '{"city":"Oslo"}'), tool_use("toolu_2", "weather", '{"city":"Rome"}'))
    stub.answers.append(streams(text("Let me see."), *uses, stop="tool_use"))
    answer, _ = await ask(a_model(stub), a_request(tools=(a_tool(),)))
    assert [(call.id, call.name, call.arguments) for call in answer.calls] == [
        ("toolu_1", "weather", '{"city":"Oslo"}'),
        ("toolu_2", "weather", '{"city":"Rome"}'),
    ]
    assert answer.finish == "tool_calls"


@pytest.mark.parametrize("tools", [(), (a_tool(),)])
async def test_b53_a_strict_provider_takes_blank_turns(stub: AnthropicStub, tools: tuple[Any, ...]) -> None:
    history = (
        *a_tool_turn(),
        AssistantMessage(text=""),
        UserMessage(text="are you there?"),
        UserMessage(text="hello?"),
    )
    stub.answers.append(streams(text("Yes.")))
    answer, _ = await ask(a_model(stub), a_request(*history, tools=tools))
    assert answer.text == "Yes."
    assert stub.bodies[0]["system"][0]["text"] == "You help."


async def test_c4_the_limit_is_named(stub: AnthropicStub) -> None:
    stub.answers.append(streams(text("Hel"), stop="max_tokens"))
    assert (await ask(a_model(stub)))[0].finish == "length"


async def test_thinking_is_passed_on(stub: AnthropicStub) -> None:
    stub.answers.append(streams(text("Hm.")))
    thinking = Thinking(support="optional", when_enabled={"thinking": {"type": "enabled", "budget_tokens": 1024}})
    model = a_model(stub, thinking=thinking)
    await ask(model, a_request(thinking=True, max_tokens=2000))
    assert stub.bodies[0]["thinking"] == {"type": "enabled", "budget_tokens": 1024}


@pytest.mark.parametrize(
    ("status", "kind", "words", "code"),
    [
        (529, "overloaded_error", "Overloaded", None),
        (429, "rate_limit_error", "slow down", None),
        (400, "invalid_request_error", "prompt is too long: 9 > 8 maximum", "context_length_exceeded"),
        (400, "invalid_request_error", "Your credit balance is too low", None),
        (500, "api_error", "oh no", None),
    ],
)
async def test_refusals_carry_their_facts(
    stub: AnthropicStub, status: int, kind: str, words: str, code: str | None
) -> None:
    stub.answers.append(refuses(status, kind, words, {"retry-after": "3"}))
    error = await failure(a_model(stub))
    assert len(stub.bodies) == 1, "the library must not try again by itself"
    assert error.kind == "http"
    assert words in str(error)
    if code:
        assert error.code == code
    if status == 429:
        assert (error.status, error.retry_after) == (429, 3.0)


async def test_the_key_is_in_no_error(stub: AnthropicStub) -> None:
    error = await failure(a_model(stub, key="wrong-key-0123456789"))
    assert error.status == 401
    assert "wrong-key-0123456789" not in f"{error!r} {error} {error.__cause__!r}"


async def test_silence_inside_an_answer_ends_it(stub: AnthropicStub) -> None:
    begun = streams(text("Hel"))
    stub.answers.append(dataclasses.replace(begun, pieces=begun.pieces[:3], hangs=True))
    assert (await failure(a_model(stub, gap_seconds=0.3))).kind == "gap"


async def test_cancelling_ends_the_call(stub: AnthropicStub) -> None:
    begun = streams(text("Hel"))
    stub.answers.append(dataclasses.replace(begun, pieces=begun.pieces[:3], hangs=True))
    task = asyncio.create_task(ask(a_model(stub)))
    await stub.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(stub.left.wait(), 10)


async def test_an_unknown_provider_is_an_error() -> None:
    model = build(a_profile(provider="nobody", base_url=""), supplies())
    error = await failure(model)
    assert "nobody" in str(error)


def test_the_library_is_loaded_once() -> None:
    assert load()[0] is load()[0]
