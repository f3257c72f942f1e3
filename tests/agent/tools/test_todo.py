"""The list of what is to be done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.schema import WrongArguments
from agent.tool import TryAgain
from agent.tools.todo import TOOL
from tests.agent.hooks.turns import a_turn


async def said(home: Path, *todos: dict[str, Any]) -> str:
    return (await TOOL.call(a_turn(home).plan.context, {"todos": list(todos)})).text


async def test_the_list_is_shown_as_it_stands(tmp_path: Path) -> None:
    text = await said(
        tmp_path,
        {"text": "read", "status": "completed"},
        {"text": "write", "status": "in_progress"},
        {"text": "send\nit"},
    )
    assert text.splitlines() == ["The list now, 1 of 3 done:", "[x] read", "[>] write", "[ ] send it"]


async def test_an_empty_list_clears_it(tmp_path: Path) -> None:
    assert await said(tmp_path) == "The list is empty now."


@pytest.mark.parametrize(
    "todos",
    [
        [{"text": " "}],
        [{"text": "x" * 301}],
        [{"text": "a"}] * 51,
        [{"text": "a", "status": "in_progress"}, {"text": "b", "status": "in_progress"}],
    ],
)
async def test_a_list_that_makes_no_sense_is_sent_back(tmp_path: Path, todos: list[dict[str, Any]]) -> None:
    with pytest.raises(TryAgain):
        await said(tmp_path, *todos)


async def test_an_unknown_status_is_sent_back(tmp_path: Path) -> None:
    with pytest.raises(WrongArguments, match="pending, in_progress, completed"):
        await said(tmp_path, {"text": "a", "status": "done"})
