"""Which items a request holds, and what happens when it was too long after all."""

from __future__ import annotations

from collections.abc import Callable

from agent import texts, window
from agent.items import AssistantItem, Item, NoteItem, ToolItem, UserItem, dump
from agent.model import Answer, Call, ProviderError, Request, SystemMessage, ToolMessage, UserMessage
from agent.window import Space, space_for
from bot.work import RunOutcome, StoredItem
from tests.agent.conftest import MakeKit
from tests.agent.kit import Voice, answer, event
from tests.agent.pairing import faults


def pair(n: int, text: str = "result") -> tuple[Item, Item]:
    made = Call(id=f"c{n}", name="look", arguments="{}")
    return AssistantItem(calls=(made,)), ToolItem(call_id=f"c{n}", name="look", text=text)


def test_everything_stays_where_there_is_room() -> None:
    items = (UserItem(text="a"), *pair(1), AssistantItem(text="b"), UserItem(text="c"))
    assert window.fit(items, Space(tokens=10_000, result_characters=1_000)) == items


def test_the_oldest_go_first_and_a_call_never_without_its_result() -> None:
    items = (UserItem(text="old " * 100), *pair(1, "x" * 400), AssistantItem(text="b"), UserItem(text="new"))
    kept = window.fit(items, Space(tokens=60, result_characters=1_000))
    assert kept == (AssistantItem(text="b"), UserItem(text="new"))


def test_all_messages_that_came_together_stay() -> None:
    users = tuple(UserItem(text="long " * 200) for _ in range(3))
    kept = window.fit((AssistantItem(text="before"), *users), Space(tokens=10, result_characters=1_000))
    assert kept == users


def test_the_request_survives_a_long_run_behind_it() -> None:
    steps = [item for n in range(50) for item in pair(n, "y" * 200)]
    kept = window.fit((UserItem(text="the task"), *steps), Space(tokens=400, result_characters=1_000))
    assert kept[0] == UserItem(text="the task")
    assert 2 < len(kept) < 20
    assert kept[-2:] == tuple(steps[-2:])


def test_words_about_failures_and_empty_answers_are_left_out() -> None:
    items = (UserItem(text="a"), AssistantItem(text="sorry", error_fallback=True), AssistantItem(text=" "))
    assert window.fit((*items, UserItem(text="b")), Space(tokens=1_000, result_characters=9)) == (
        UserItem(text="a"),
        UserItem(text="b"),
    )


def test_a_long_result_is_cut_in_the_view_only() -> None:
    items = (UserItem(text="a"), *pair(1, "head" + "x" * 5_000 + "tail"))
    kept = window.fit(items, Space(tokens=2_000, result_characters=1_000))
    cut = kept[-1]
    assert isinstance(cut, ToolItem)
    assert cut.text.startswith("head")
    assert cut.text.endswith("tail")
    assert len(cut.text) < 1_100
    assert "4,008 characters left out" in cut.text


def test_notes_stay_whatever_their_age() -> None:
    items: list[Item] = [
        NoteItem(text="a note"),
        *(UserItem(text="x" * 400) for _ in range(3)),
        AssistantItem(text="end"),
    ]
    kept = window.fit(items, Space(tokens=10, result_characters=1_000))
    assert NoteItem(text="a note") in kept


def test_results_whose_call_is_further_back_are_left_out() -> None:
    items = (pair(1)[1], UserItem(text="a"))
    assert window.fit(items, Space(tokens=1_000, result_characters=1_000)) == (UserItem(text="a"),)


def test_a_window_keeps_a_reserve_and_room_for_the_answer() -> None:
    assert space_for(context_tokens=100_000, max_tokens=None, fixed=1_000).tokens == 80_000 - 4_096 - 1_000
    assert space_for(context_tokens=100_000, max_tokens=10_000, fixed=0).tokens == 70_000
    assert space_for(context_tokens=2_000, max_tokens=8_000, fixed=5_000).tokens == window.SMALLEST


def test_other_scripts_are_estimated_by_their_bytes() -> None:
    assert window.estimate("abcd") == 1
    assert window.estimate("你好") == 2
    assert window.estimate("") == 0


TOO_LONG = ProviderError(
    "maximum context length is 2000 tokens", kind="http", status=400, code="context_length_exceeded"
)


def small_window(limit: int) -> Voice:
    """A provider that refuses any request over so many tokens, and gives an error for what is not legal."""

    async def say(request: Request, on_text: Callable[[str], None]) -> Answer:
        assert faults(request.messages) == []
        size = sum(window.estimate(message.text) + 4 for message in request.messages) + window.tools_cost(request.tools)
        if size > limit:
            raise TOO_LONG
        return answer("going on")

    return Voice(say)


def sixty_turns() -> list[StoredItem]:
    items: list[Item] = []
    for n in range(60):
        result = "r" * 50_000 if n == 55 else f"result {n}"
        items += [UserItem(text=f"question {n}"), *pair(n, result), AssistantItem(text=f"answer {n} " * 5)]
    return [dump(item) for item in items]


async def test_b29_too_long_a_history_is_shortened_once(kit: MakeKit) -> None:
    bench = kit(small_window(2_000))
    bench.shelf.items = sixty_turns()
    finish = await bench.run(event("go on"), run_id=99)
    assert finish.outcome is RunOutcome.SUCCESS
    assert bench.shelf.said == "going on"
    first, second = bench.model.requests
    assert isinstance(second.messages[0], SystemMessage)
    assert second.messages[0] == first.messages[0]
    assert second.messages[-1] == UserMessage(text="go on")
    assert any(isinstance(message, ToolMessage) for message in second.messages)
    assert [item.body["text"] for item in finish.items] == ["go on", "going on"]


async def test_b29_where_nothing_helps_there_is_one_clear_message(kit: MakeKit) -> None:
    bench = kit(small_window(10))
    bench.shelf.items = sixty_turns()
    finish = await bench.run(event("go on"), run_id=99)
    assert finish.outcome is RunOutcome.ERROR
    assert len(bench.model.requests) == 2
    assert "/new" in bench.shelf.said
    assert finish.items[-1].body["error_fallback"] is True
    assert "context" not in "".join(body["text"] for body in bench.shelf.of_kind("assistant"))


async def test_b29_a_run_stays_in_the_smaller_window(kit: MakeKit) -> None:
    bench = kit(small_window(2_000))
    bench.shelf.items = sixty_turns()
    calls = iter([answer("", Call(id="n1", name="calculate", arguments='{"expression": "1"}')), answer("one")])
    strict = bench.model._answer

    async def say(request: Request, on_text: Callable[[str], None]) -> Answer:
        await strict(request, on_text)
        return next(calls)

    bench.model._answer = say
    await bench.run(event("go on"), run_id=99)
    assert len(bench.model.requests) == 3
    assert bench.shelf.said == "one"


def test_the_cut_says_how_much_is_missing() -> None:
    assert texts.cut_middle(1) == "\n[… 1 character left out …]\n"
