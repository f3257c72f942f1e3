from __future__ import annotations

from typing import Any

import pytest

from agent.model import AssistantMessage, Call, Message, ToolMessage, UserMessage
from agent.models._directives import Line, read
from agent.models.scripted import ScriptedModel, build
from bot.errors import SettingsError
from tests.support.models import PatientClock, a_profile, a_request, ask, failure, supplies


def a_model(**extra: Any) -> ScriptedModel:
    return build(a_profile(provider="scripted", extra=extra), supplies())


def said(text: str, *after: Message) -> Any:
    return a_request(
        UserMessage(text="earlier"), AssistantMessage(text="answer to earlier"), UserMessage(text=text), *after
    )


async def test_it_answers_to_the_last_message_word_by_word() -> None:
    answer, pieces = await ask(a_model(), said("hello there"))
    assert answer.text == "answer to hello there"
    assert pieces == ["answer", " to", " hello", " there"]
    assert (answer.finish, answer.usage.tokens_out) == ("stop", 4)


async def test_the_same_conversation_gets_the_same_answer_from_a_new_process() -> None:
    request = said('#tool calc {"expression":"1+1"}')
    assert await ask(a_model(), request) == await ask(a_model(), request)


async def test_tools_are_called_step_by_step_and_then_answered() -> None:
    text = 'add #tool calc {"expression":"1 + 1"} #and calc {"expression":"2"} then #tool todo'
    model = a_model()
    first, _ = await ask(model, said(text))
    assert [(call.name, call.arguments) for call in first.calls] == [
        ("calc", '{"expression":"1 + 1"}'),
        ("calc", '{"expression":"2"}'),
    ]
    assert first.finish == "tool_calls"
    results = [ToolMessage(call_id=call.id, name=call.name, text=f"r{n}") for n, call in enumerate(first.calls)]
    done: tuple[Message, ...] = (AssistantMessage(calls=first.calls), *results)
    second, _ = await ask(model, said(text, *done))
    assert [(call.name, call.arguments) for call in second.calls] == [("todo", "{}")]
    assert len({call.id for call in (*first.calls, *second.calls)}) == 3
    done = (
        *done,
        AssistantMessage(calls=second.calls),
        ToolMessage(call_id=second.calls[0].id, name="todo", text="ok"),
    )
    last, _ = await ask(model, said(text, *done))
    assert last.text == "answer to add then: r0, r1, ok"


async def test_ids_differ_from_those_of_earlier_turns() -> None:
    old = AssistantMessage(
        calls=(Call(id="call_1", name="calc", arguments="{}"), Call(id="call_2", name="x", arguments=""))
    )
    answer, _ = await ask(a_model(), a_request(old, UserMessage(text="#tool calc")))
    assert answer.calls[0].id not in ("call_1", "call_2")


async def test_a_broken_argument_is_passed_on_as_it_is() -> None:
    answer, _ = await ask(a_model(), said('#tool write_file {"path":"a'))
    assert answer.calls[0].arguments == '{"path":"a'


@pytest.mark.parametrize(
    ("text", "answer", "finish"),
    [
        ("#long 3", "word1 word2 word3", "stop"),
        ("x #say exactly # this\n", "exactly # this", "stop"),
        ("#blank please", "", "stop"),
        ("hi #finish length", "answer to hi", "length"),
        ("issue #12 and #unknown", "answer to issue #12 and #unknown", "stop"),
    ],
)
async def test_directives(text: str, answer: str, finish: str) -> None:
    found, _ = await ask(a_model(), said(text))
    assert (found.text, found.finish) == (answer, finish)


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [("#fail 503", 503, ""), ("hi #fail 429 insufficient_quota", 429, "insufficient_quota"), ("#fail x", 500, "")],
)
async def test_failures(text: str, status: int, code: str) -> None:
    error = await failure(a_model(), said(text))
    assert (error.kind, error.status, error.code) == ("http", status, code)


async def test_time_passes_on_the_clock() -> None:
    clock = PatientClock()
    model = build(a_profile(extra={"pace": 0.5}), supplies(clock=clock))
    await ask(model, said("#delay 3 hi"))
    assert clock.slept == [3.0, 0.5, 0.5, 0.5]


async def test_a_script_is_followed_and_ends() -> None:
    lines = [Line(text="one"), Line(calls=(Call(id="c1", name="x", arguments="{}"),))]
    model = ScriptedModel(a_profile(), supplies(), lines=lines)
    assert (await ask(model))[0].text == "one"
    assert (await ask(model))[0].finish == "tool_calls"
    assert (await failure(model)).code == "script_ended"
    assert len(model.requests) == 3


async def test_a_script_may_stand_in_the_settings() -> None:
    model = a_model(script=[{"text": "one", "delay": 1}, {"calls": [{"name": "x"}]}, {"status": 429, "code": "slow"}])
    assert (await ask(model))[0].text == "one"
    assert (await ask(model))[0].calls == (Call(id="call_1", name="x", arguments="{}"),)
    assert (await failure(model)).code == "slow"


@pytest.mark.parametrize("script", [[{"txt": "x"}], [{"calls": [{}]}], [3], 3])
def test_a_wrong_script_is_an_error(script: Any) -> None:
    with pytest.raises(SettingsError, match="script"):
        a_model(script=script)


def test_directives_are_left_out_of_the_text() -> None:
    text, directives = read('please #tool calc {"a": {"b": "} #long 3"}} now #pace 0.1')
    assert text == "please now"
    assert [(directive.name, directive.argument) for directive in directives] == [
        ("tool", 'calc {"a": {"b": "} #long 3"}}'),
        ("pace", "0.1"),
    ]
