from __future__ import annotations

from typing import Any

import pytest

from agent.model import AssistantMessage, ProviderError, UserMessage
from agent.models._responses_stream import ResponsesAssembly
from agent.models._responses_wire import responses_body
from bot.settings import Thinking
from tests.support.models import a_profile, a_request, a_tool, a_tool_turn
from tests.support.openai_stub import check_responses


def completed(**fields: Any) -> dict[str, Any]:
    counts = {"input_tokens": 9, "output_tokens": 4, "input_tokens_details": {"cached_tokens": 3}}
    return {"type": "response.completed", "response": {"status": "completed", "usage": counts} | fields}


def done(call_id: str, arguments: str) -> dict[str, Any]:
    item = {"type": "function_call", "id": "fc_1", "call_id": call_id, "name": "weather", "arguments": arguments}
    return {"type": "response.output_item.done", "item": item}


def assemble(*events: dict[str, Any]) -> Any:
    assembly = ResponsesAssembly(a_profile(), taken=("c1",))
    for event in events:
        assembly.feed(event)
    assembly.end()
    return assembly.answer()


def test_the_body_is_what_the_api_takes() -> None:
    request = a_request(
        *a_tool_turn(),
        AssistantMessage(text="It rains."),
        UserMessage(text="look", images=("data:image/png;base64,AA",)),
        tools=(a_tool(),),
        effort="high",
        thinking=True,
        max_tokens=5,
    )
    contract = Thinking(support="optional", efforts=("high",))
    body = responses_body(request, a_profile(vision=True, thinking=contract, temperature=0.5))
    assert check_responses(body) is None
    assert (body["reasoning"], body["max_output_tokens"], body["store"]) == ({"effort": "high"}, 5, False)
    assert [item.get("type", item.get("role")) for item in body["input"]] == [
        "system",
        "user",
        "function_call",
        "function_call_output",
        "assistant",
        "user",
    ]


def test_text_calls_and_counts_are_read() -> None:
    answer = assemble(
        {"type": "response.created", "response": {}},
        {"type": "response.output_text.delta", "delta": "Hel"},
        {"type": "response.output_text.delta", "delta": "lo"},
        done("c1", '{"city":"Oslo"}'),
        done("c2", '{"city":"Rome"}'),
        completed(),
    )
    assert (answer.text, answer.finish) == ("Hello", "stop")
    assert [call.arguments for call in answer.calls] == ['{"city":"Oslo"}', '{"city":"Rome"}']
    assert len({"c1", *(call.id for call in answer.calls)}) == 3
    assert (answer.usage.tokens_in, answer.usage.tokens_out, answer.usage.tokens_cached) == (9, 4, 3)


def test_c4_an_incomplete_response_says_why() -> None:
    details = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    answer = assemble({"type": "response.incomplete", "response": details})
    assert answer.finish == "max_output_tokens"


def test_c5_a_refusal_is_named() -> None:
    answer = assemble({"type": "response.refusal.delta", "delta": "No."}, completed())
    assert (answer.text, answer.finish) == ("No.", "refusal")


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"type": "response.failed", "response": {"error": {"code": "server_error", "message": "x"}}}, "server_error"),
        ({"type": "error", "code": "rate_limit_exceeded", "message": "slow down"}, "rate_limit_exceeded"),
    ],
)
def test_failures_are_raised(event: dict[str, Any], code: str) -> None:
    with pytest.raises(ProviderError) as caught:
        assemble(event)
    assert caught.value.code == code


def test_a_response_without_an_end_is_an_error() -> None:
    with pytest.raises(ProviderError):
        assemble({"type": "response.output_text.delta", "delta": "Hel"})
