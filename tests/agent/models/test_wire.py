from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.model import AssistantMessage, Call, Message, Request, SystemMessage, ToolMessage, ToolSpec, UserMessage
from agent.models._shape import legal_id
from agent.models._wire import chat_body
from bot.settings import Thinking
from tests.support.models import a_profile, a_request, a_tool, a_tool_turn
from tests.support.openai_stub import check_alternation, check_chat

PIXEL = "data:image/png;base64,AAAA"


def body(request: Request, *, strict: bool = False, field: str = "max_tokens", **profile: Any) -> dict[str, Any]:
    return chat_body(request, a_profile(**profile), strict=strict, max_tokens_field=field)


def test_the_system_text_is_one_message_and_first() -> None:
    messages = body(a_request(UserMessage(text="hi"), SystemMessage(text="A"), SystemMessage(text=" ")))["messages"]
    assert messages == [{"role": "system", "content": "A"}, {"role": "user", "content": "hi"}]


def test_b53_no_turn_is_empty_and_roles_alternate() -> None:
    request = a_request(
        *a_tool_turn(),
        AssistantMessage(text=""),
        UserMessage(text="are you there?"),
        UserMessage(text="hello?"),
        tools=(a_tool(),),
    )
    sent = body(request, strict=True)
    assert check_chat(sent) is None
    assert check_alternation(sent["messages"]) is None
    assert sent["messages"][2]["content"] is None
    assert sent["messages"][-1]["content"] == "are you there?\n\nhello?"


def test_b53_a_turn_of_white_space_is_left_out() -> None:
    request = a_request(UserMessage(text="hi"), AssistantMessage(text=" \n"), UserMessage(text=" "))
    assert [m["content"] for m in body(request)["messages"]] == ["hi", "(no text)"]


def test_b53_a_person_speaks_first() -> None:
    messages = body(a_request(AssistantMessage(text="hi"), UserMessage(text="you?")), strict=True)["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]


def test_b55_no_message_has_a_name() -> None:
    messages = body(a_request(*a_tool_turn(), UserMessage(text="[José 🚀 Álvarez] hi"), tools=(a_tool(),)))["messages"]
    assert not any("name" in message for message in messages)
    assert messages[-1]["content"] == "[José 🚀 Álvarez] hi"


def test_images_go_to_models_that_see() -> None:
    request = a_request(UserMessage(text="what is it?", images=(PIXEL,)))
    assert body(request, vision=True)["messages"][0]["content"] == [
        {"type": "text", "text": "what is it?"},
        {"type": "image_url", "image_url": {"url": PIXEL}},
    ]
    left_out = "what is it?\n[1 image left out: this model cannot see images]"
    assert body(request)["messages"][0]["content"] == left_out


def test_an_image_without_text_has_no_text_block() -> None:
    request = a_request(UserMessage(text="", images=(PIXEL, PIXEL)))
    assert check_chat(body(request, vision=True)) is None
    assert body(request)["messages"][0]["content"] == "[2 images left out: this model cannot see images]"


def test_without_tools_calls_become_text() -> None:
    sent = body(a_request(*a_tool_turn(), tools=(a_tool(),)), tools=False)
    assert "tools" not in sent
    assert [m["content"] for m in sent["messages"][2:]] == [
        '[called weather with {"city":"Oslo"}]',
        "[result of weather]\nrain",
    ]
    assert check_chat(sent) is None


def test_strict_providers_take_calls_only_with_tools() -> None:
    sent = body(a_request(*a_tool_turn()), strict=True)
    assert not any("tool_calls" in m or m["role"] == "tool" for m in sent["messages"])
    assert any("tool_calls" in m for m in body(a_request(*a_tool_turn()))["messages"])


def test_a_tool_without_arguments_has_properties() -> None:
    tool = ToolSpec(name="now", description="The time", parameters={"type": "object"})
    sent = body(a_request(tools=(tool,)))
    assert sent["tools"][0]["function"]["parameters"] == {"type": "object", "properties": {}}
    assert check_chat(sent) is None


def test_the_requests_numbers_come_before_the_profiles() -> None:
    sent = body(a_request(temperature=0.0, max_tokens=7), temperature=1.0, max_tokens=9)
    assert (sent["temperature"], sent["max_tokens"]) == (0.0, 7)
    sent = body(a_request(), temperature=1.0, max_tokens=9, field="max_completion_tokens")
    assert (sent["temperature"], sent["max_completion_tokens"]) == (1.0, 9)


def test_fields_of_the_profile_are_added_and_taken_away() -> None:
    sent = body(a_request(), extra={"seed": 1, "stream_options": None, "extra_body": {"top_p": 0.5}})
    assert (sent["seed"], sent["top_p"], "stream_options" in sent) == (1, 0.5, False)


def test_long_and_odd_ids_are_made_legal_in_both_places() -> None:
    odd = "call_ü" + "x" * 50
    messages = body(
        a_request(
            UserMessage(text="hi"),
            AssistantMessage(calls=(Call(id=odd, name="weather", arguments=""),)),
            ToolMessage(call_id=odd, name="weather", text=" "),
            tools=(a_tool(),),
        )
    )["messages"]
    assert messages[1]["tool_calls"][0]["id"] == messages[2]["tool_call_id"] == legal_id(odd)
    assert messages[1]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert messages[2]["content"] == "(no output)"
    assert legal_id("c1") == "c1"


@pytest.mark.parametrize(
    ("contract", "thinking", "effort", "fields"),
    [
        (Thinking(), True, "high", {}),
        (Thinking(support="optional", efforts=("high",)), True, "high", {"reasoning_effort": "high"}),
        (Thinking(support="optional", efforts=("high",)), True, "max", {}),
        (Thinking(support="optional", legacy_efforts=True), True, "minimal", {"reasoning_effort": "minimal"}),
        (
            Thinking(support="optional", when_enabled={"thinking": {"type": "enabled"}}),
            True,
            "",
            {"thinking": {"type": "enabled"}},
        ),
        (
            Thinking(support="optional", when_enabled={"thinking": {"type": "enabled"}}),
            False,
            "",
            {"thinking": {"type": "disabled"}},
        ),
        (
            Thinking(support="optional", when_enabled={"thinking": {"type": "enabled"}}, when_disabled={"seed": 1}),
            False,
            "",
            {"seed": 1},
        ),
        (
            Thinking(
                support="optional", when_enabled={"extra_body": {"thinking": {"type": "enabled"}}}, legacy_efforts=True
            ),
            False,
            "",
            {"thinking": {"type": "disabled"}, "reasoning_effort": "minimal"},
        ),
        (
            Thinking(
                support="optional", when_enabled={"extra_body": {"chat_template_kwargs": {"enable_thinking": True}}}
            ),
            False,
            "",
            {"chat_template_kwargs": {"enable_thinking": False}},
        ),
    ],
)
def test_a3_thinking_templates(contract: Thinking, thinking: bool, effort: str, fields: dict[str, Any]) -> None:
    plain = body(a_request())
    sent = body(a_request(thinking=thinking, effort=effort), thinking=contract)
    assert {name: value for name, value in sent.items() if name not in plain} == fields


TURNS = st.lists(
    st.one_of(
        st.builds(UserMessage, text=st.sampled_from(["", " ", "hi"]), images=st.sampled_from([(), (PIXEL,)])),
        st.builds(AssistantMessage, text=st.sampled_from(["", "\n", "hello"])),
        st.builds(SystemMessage, text=st.sampled_from(["", "rules"])),
        st.just("tools"),
    ),
    max_size=8,
)


@given(turns=TURNS, vision=st.booleans(), tools=st.booleans(), offered=st.booleans())
def test_whatever_was_said_a_strict_provider_takes_it(
    turns: list[Message | str], vision: bool, tools: bool, offered: bool
) -> None:
    messages: list[Message] = []
    for n, turn in enumerate(turns):
        if isinstance(turn, str):
            messages.append(AssistantMessage(text="", calls=(Call(id=f"c{n}", name="weather", arguments=""),)))
            messages.append(ToolMessage(call_id=f"c{n}", name="weather", text=""))
        else:
            messages.append(turn)
    request = Request(messages=tuple(messages), tools=(a_tool(),) if offered else ())
    sent = body(request, strict=True, vision=vision, tools=tools)
    assert check_chat(sent) is None
    roles = [m["role"] for m in sent["messages"] if m["role"] not in ("system", "tool")]
    assert roles[0] == "user"
    assert not any(a == b == "user" for a, b in itertools.pairwise(roles))
