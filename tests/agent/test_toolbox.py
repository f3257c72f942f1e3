"""The calls of one answer, side by side, each with a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent import texts
from agent.hook import Hook
from agent.items import ToolItem
from agent.model import Call
from agent.tool import CannotDo, Tool, ToolContext, ToolResult, TryAgain, tool
from agent.toolbox import Toolbox
from agent.turn import Turn
from bot.seat import journal
from tests.agent.hooks.turns import a_turn
from tests.agent.kit import HandClock, call


async def echo(context: ToolContext, text: str = "") -> ToolResult:
    """Say it again."""
    return ToolResult(text=text)


def box(*tools: Tool, hooks: Sequence[Hook] = (), clock: HandClock | None = None) -> Toolbox:
    return Toolbox(tools, hooks, seconds=120.0, clock=clock or HandClock())


async def results(toolbox: Toolbox, home: Path, *calls: Call) -> tuple[ToolItem, ...]:
    return await toolbox.run_all(a_turn(home), calls)


async def test_calls_run_side_by_side_and_keep_their_order(tmp_path: Path) -> None:
    second_began = asyncio.Event()

    async def first(context: ToolContext) -> ToolResult:
        """Wait for the second."""
        await second_began.wait()
        return ToolResult(text="1")

    async def second(context: ToolContext) -> ToolResult:
        """Let the first go on."""
        second_began.set()
        return ToolResult(text="2")

    toolbox = box(tool(first, idempotent=True), tool(second, idempotent=True))
    done = await results(toolbox, tmp_path, call("first", id="a"), call("second", id="b"))
    assert [(one.call_id, one.text) for one in done] == [("a", "1"), ("b", "2")]


async def test_e1_a_call_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    clock, ended, began = HandClock(), asyncio.Event(), asyncio.Event()

    async def stuck(context: ToolContext) -> ToolResult:
        """Never end."""
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    with journal() as decisions:
        running = asyncio.ensure_future(
            results(box(tool(stuck, idempotent=False), clock=clock), tmp_path, call("stuck"))
        )
        await began.wait()
        clock.advance(119)
        assert not ended.is_set()
        clock.advance(1)
        (one,) = await running
    assert ended.is_set()
    assert one.error
    assert one.text == f"{texts.too_slow(120)} {texts.UNKNOWN_OUTCOME}"
    assert [decision.seat for decision in decisions] == ["E1"]


async def test_a_tool_may_have_a_deadline_of_its_own(tmp_path: Path) -> None:
    async def stuck(context: ToolContext) -> ToolResult:
        """Never end."""
        await asyncio.Event().wait()
        raise AssertionError

    (one,) = await results(box(tool(stuck, idempotent=True, seconds=2.0)), tmp_path, call("stuck"))
    assert one.text == texts.too_slow(2)


async def test_an_unknown_tool_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    (one,) = await results(box(tool(echo, idempotent=True)), tmp_path, call("shout"))
    assert one.error
    assert one.text == "There is no tool named 'shout'. The tools are: echo."


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"text": 3}', "text must be a text"),
        ('{"loud": true}', "no argument loud"),
        ('{"text"', "no JSON"),
        ("null", "must be a JSON object"),
    ],
)
async def test_b25_wrong_arguments_are_told_and_never_run(tmp_path: Path, arguments: str, words: str) -> None:
    ran = []

    async def echo(context: ToolContext, text: str = "") -> ToolResult:
        """Say it again."""
        ran.append(text)
        return ToolResult(text=text)

    (one,) = await results(box(tool(echo, idempotent=True)), tmp_path, call("echo", arguments))
    assert one.error
    assert words in one.text
    assert ran == []


@pytest.mark.parametrize(
    ("error", "words"),
    [(TryAgain("it is spelled wrong"), "call again"), (CannotDo("it is gone"), "Do not call it again")],
)
async def test_a_tool_says_whether_it_is_worth_another_try(tmp_path: Path, error: Exception, words: str) -> None:
    async def fail(context: ToolContext) -> ToolResult:
        """Fail."""
        raise error

    with journal() as decisions:
        (one,) = await results(box(tool(fail, idempotent=True)), tmp_path, call("fail"))
    assert one.error
    assert words in one.text
    assert decisions == []


def test_only_a_call_that_would_run_has_an_effect() -> None:
    toolbox = box(tool(echo, idempotent=False))
    assert toolbox.has_effect(call("echo"))
    assert toolbox.has_effect(call("echo", ""))
    assert not toolbox.has_effect(call("echo", "{"))
    assert not toolbox.has_effect(call("echo", '{"x": 1}'))
    assert not toolbox.has_effect(call("shout"))
    assert not box(tool(echo, idempotent=True)).has_effect(call("echo"))


class Shell(Hook):
    """Writes down what it sees."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self._log = log

    async def before_tool(self, turn: Turn, call: Call) -> Call | ToolResult:
        self._log.append(f"{self.name} before")
        return ToolResult(text="not allowed", error=True) if call.name == "forbidden" else call

    async def after_tool(self, turn: Turn, call: Call, result: ToolResult) -> ToolResult:
        self._log.append(f"{self.name} after {result.text}")
        return result


async def test_hooks_lie_around_a_call_like_shells(tmp_path: Path) -> None:
    log: list[str] = []
    toolbox = box(tool(echo, idempotent=True), hooks=[Shell("outer", log), Shell("inner", log)])
    await results(toolbox, tmp_path, call("echo", '{"text": "x"}'))
    assert log == ["outer before", "inner before", "inner after x", "outer after x"]


async def test_a_hook_may_answer_in_the_tool_s_place(tmp_path: Path) -> None:
    log: list[str] = []
    (one,) = await results(box(hooks=[Shell("gate", log)]), tmp_path, call("forbidden"))
    assert (one.text, one.error) == ("not allowed", True)


async def test_a_call_that_is_given_up_from_outside_ends(tmp_path: Path) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def stuck(context: ToolContext) -> ToolResult:
        """Never end."""
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    running = asyncio.ensure_future(results(box(tool(stuck, idempotent=True)), tmp_path, call("stuck")))
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert ended.is_set()
