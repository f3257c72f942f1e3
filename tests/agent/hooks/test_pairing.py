"""Calls and results are paired in the view (seat C1, case B52)."""

from __future__ import annotations

from pathlib import Path

from agent import texts
from agent.hooks.pairing import DETAIL_CHARACTERS, HOOK, UNKNOWN, repair
from agent.model import AssistantMessage, Call, Message, Request, ToolMessage, UserMessage
from bot.seat import journal
from tests.agent.hooks.turns import a_turn
from tests.agent.pairing import faults


def asked(*calls: Call) -> AssistantMessage:
    return AssistantMessage(calls=calls)


def call(id: str, name: str = "weather", arguments: str = "{}") -> Call:
    return Call(id=id, name=name, arguments=arguments)


def result(id: str, text: str, name: str = "weather") -> ToolMessage:
    return ToolMessage(call_id=id, name=name, text=text)


def fixed(*messages: Message) -> tuple[Message, ...]:
    repaired, _ = repair(messages)
    assert faults(repaired) == []
    return repaired


def test_c1_a_call_without_a_result_gets_one_right_after_it() -> None:
    said = fixed(asked(call("c1")), UserMessage(text="hello?"))
    assert said == (asked(call("c1")), result("c1", texts.INTERRUPTED), UserMessage(text="hello?"))


def test_c1_a_late_result_moves_to_its_call() -> None:
    said = fixed(asked(call("c1")), UserMessage(text="hello?"), result("c1", "sun"))
    assert said == (asked(call("c1")), result("c1", "sun"), UserMessage(text="hello?"))


def test_c1_results_without_a_call_are_left_out() -> None:
    assert fixed(result("c9", "?"), UserMessage(text="a"), result("c8", "?")) == (UserMessage(text="a"),)


def test_c1_results_come_in_the_order_of_the_calls() -> None:
    said = fixed(asked(call("a"), call("b")), result("b", "2"), result("a", "1"))
    assert said[1:] == (result("a", "1"), result("b", "2"))


def test_c1_a_call_without_a_name_has_one() -> None:
    said = fixed(asked(call("a", "")), result("a", "?", name=""))
    assert isinstance(said[0], AssistantMessage)
    assert said[0].calls[0].name == UNKNOWN
    assert said[1] == result("a", "?", name=UNKNOWN)


def test_c1_broken_arguments_are_told_with_what_is_wrong() -> None:
    said = fixed(asked(call("a", arguments='{"city": "Os')), UserMessage(text="b"))
    assert isinstance(said[0], AssistantMessage)
    assert said[0].calls[0].arguments == "{}"
    assert isinstance(said[1], ToolMessage)
    assert said[1].text.startswith("The call was not carried out, its arguments are no JSON object: ")
    assert len(said[1].text) < DETAIL_CHARACTERS + 100


def test_c1_a_broken_write_is_advised_to_use_smaller_pieces() -> None:
    said = fixed(asked(call("a", "write_file", '{"text": "half')))
    assert said[1] == result("a", texts.WRITE_FILE_CUT, name="write_file")


def test_b52_missing_ids_are_made_of_the_position_and_results_are_not_swapped() -> None:
    said = fixed(
        asked(call("", arguments='{"city":"Oslo"}'), call("", arguments='{"city":"Rome"}')),
        result("", "Oslo: rain"),
        result("", "Rome: sun"),
    )
    assert isinstance(said[0], AssistantMessage)
    assert [one.id for one in said[0].calls] == ["call_0_0", "call_0_1"]
    assert said[1:] == (result("call_0_0", "Oslo: rain"), result("call_0_1", "Rome: sun"))


def test_b52_one_id_twice_in_an_answer() -> None:
    said = fixed(
        asked(call("call-weather", arguments='{"city":"Oslo"}'), call("call-weather", arguments='{"city":"Rome"}')),
        result("call-weather", "Oslo: rain"),
        result("call-weather", "Rome: sun"),
    )
    assert [message.text for message in said[1:]] == ["Oslo: rain", "Rome: sun"]


def test_b52_one_id_in_two_answers() -> None:
    said = fixed(asked(call("a")), result("a", "1"), asked(call("a")), result("a", "2"))
    assert [message.text for message in said] == ["", "1", "", "2"]


def test_c1_results_without_an_id_go_by_name_before_order() -> None:
    said = fixed(asked(call("", "now"), call("", "weather")), result("", "sun", "weather"), result("", "noon", "now"))
    assert [message.text for message in said[1:]] == ["noon", "sun"]


def test_c1_a_synthetic_id_avoids_those_in_use() -> None:
    said = fixed(asked(call("call_1_0")), result("call_1_0", "x"), asked(call("")), result("", "y"))
    assert [message.text for message in said] == ["", "x", "", "y"]


async def test_c1_a_sound_request_passes_as_it_is(tmp_path: Path) -> None:
    request = Request(messages=(UserMessage(text="a"), asked(call("a")), result("a", "1")))
    with journal() as decisions:
        assert await HOOK.before_model(a_turn(tmp_path), request) is request
    assert decisions == []


async def test_c1_what_was_repaired_is_recorded(tmp_path: Path) -> None:
    request = Request(messages=(asked(call("a"), call("")),))
    with journal() as decisions:
        repaired = await HOOK.before_model(a_turn(tmp_path), request)
    assert faults(repaired.messages) == []
    assert request.messages == (asked(call("a"), call("")),)
    assert [(one.seat, one.outcome, one.because) for one in decisions] == [
        ("C1", "repaired", "calls without a result: 2, ids: 1")
    ]
