"""What becomes of answers that are empty, cut off or stopped (seats C3, C4, C5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent import texts
from agent.hook import Hook
from agent.hooks import empty_reply, length_cut, safety_stop
from agent.items import ToolItem
from agent.said import Said
from bot.errors import SettingsError
from bot.seat import Decision, journal
from tests.agent.hooks.turns import a_turn
from tests.agent.kit import call

RESULT = ToolItem(call_id="c1", name="now", text="noon")
CALLS = (call("bash", '{"command": "rm"}'),)


async def seen(hook: Hook, home: Path, said: Said, *own: ToolItem) -> tuple[Said, list[Decision]]:
    with journal() as decisions:
        return await hook.after_model(a_turn(home, *own), said), decisions


async def test_c3_an_empty_answer_after_a_tool_becomes_an_apology(tmp_path: Path) -> None:
    after, decisions = await seen(empty_reply.HOOK, tmp_path, Said(text=" \n"), RESULT)
    assert after == Said(text=texts.NO_ANSWER_AFTER_TOOLS, error_fallback=True)
    assert [one.seat for one in decisions] == ["C3"]


@pytest.mark.parametrize("said", [Said(text="hi"), Said(text="", calls=CALLS)])
async def test_c3_other_answers_pass(tmp_path: Path, said: Said) -> None:
    assert await seen(empty_reply.HOOK, tmp_path, said, RESULT) == (said, [])


async def test_c3_an_empty_answer_without_a_tool_is_left(tmp_path: Path) -> None:
    said = Said(text="")
    after, decisions = await seen(empty_reply.HOOK, tmp_path, said)
    assert after is said
    assert [one.outcome for one in decisions] == ["left"]


@pytest.mark.parametrize("finish", ["length", "MAX_TOKENS", "max_tokens", "max_output_tokens"])
async def test_c4_half_a_call_is_removed(tmp_path: Path, finish: str) -> None:
    after, decisions = await seen(length_cut.HOOK, tmp_path, Said(text="Now", calls=CALLS, finish=finish))
    assert after.calls == ()
    assert after.text == f"Now\n\n{texts.CALLS_CUT}"
    assert after.stop_reason == "model_length_capped"
    assert [(one.seat, one.outcome) for one in decisions] == [("C4", "calls removed")]


async def test_c4_a_cut_text_stays_as_it_is(tmp_path: Path) -> None:
    after, _ = await seen(length_cut.HOOK, tmp_path, Said(text="long te", finish="length"))
    assert (after.text, after.stop_reason) == ("long te", "model_length_capped")


async def test_c4_nothing_at_all_is_explained(tmp_path: Path) -> None:
    after, _ = await seen(length_cut.HOOK, tmp_path, Said(text="", finish="length"))
    assert after.text == texts.CUT_SHORT


async def test_c4_the_reason_of_another_guard_stays(tmp_path: Path) -> None:
    after, _ = await seen(length_cut.HOOK, tmp_path, Said(text="a", finish="length", stop_reason="safety_capped"))
    assert after.stop_reason == "safety_capped"


async def test_c4_an_answer_that_came_to_its_end_passes(tmp_path: Path) -> None:
    said = Said(text="", calls=CALLS, finish="tool_calls")
    assert await seen(length_cut.HOOK, tmp_path, said) == (said, [])


@pytest.mark.parametrize("finish", ["content_filter", "refusal", "SAFETY", "IMAGE_SAFETY", "RECITATION", "SPII"])
async def test_c5_calls_of_a_stopped_answer_are_removed(tmp_path: Path, finish: str) -> None:
    after, decisions = await seen(safety_stop.HOOK, tmp_path, Said(text="", calls=CALLS, finish=finish))
    assert after == Said(text=texts.FILTERED, calls=(), finish=finish, stop_reason="safety_capped")
    assert [one.because for one in decisions] == [f"{finish}: bash (c1)"]


async def test_c5_a_blank_answer_is_explained(tmp_path: Path) -> None:
    after, _ = await seen(safety_stop.HOOK, tmp_path, Said(text=" ", finish="content_filter"))
    assert after.text == texts.FILTERED


async def test_c5_part_of_a_text_stays_as_it_is(tmp_path: Path) -> None:
    said = Said(text="half a senten", finish="content_filter")
    assert await seen(safety_stop.HOOK, tmp_path, said) == (said, [])


async def test_c5_its_words_can_be_replaced_but_not_left_out(tmp_path: Path) -> None:
    own = safety_stop.SafetyStop(["blocked"])
    after, _ = await seen(own, tmp_path, Said(text="", finish="BLOCKED"))
    assert after.stop_reason == "safety_capped"
    passed, _ = await seen(own, tmp_path, Said(text="", finish="content_filter"))
    assert passed.stop_reason == ""
    with pytest.raises(SettingsError):
        safety_stop.SafetyStop([])
