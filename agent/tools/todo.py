"""Keep a list of what is to be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agent.tool import ToolContext, ToolResult, TryAgain, tool
from bot.wording import count, one_line

MOST = 50
TEXT_CHARACTERS = 300

_MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Todo:
    """One thing to do."""

    text: str
    status: Literal["pending", "in_progress", "completed"] = "pending"


async def todo(context: ToolContext, todos: list[Todo]) -> ToolResult:
    """Replace the list of what is to be done in this conversation; an empty list clears it.

    Use it for work of three or more steps: write the steps down first, mark one as in_progress before you begin it and
    as completed as soon as it is done. Always give the whole list.

        todos: The whole list, in the order in which you will work.
    """
    _check(todos)
    if not todos:
        return ToolResult(text="The list is empty now.")
    done = sum(one.status == "completed" for one in todos)
    lines = [f"{_MARKS[one.status]} {one_line(one.text, most=TEXT_CHARACTERS)}" for one in todos]
    return ToolResult(text="\n".join([f"The list now, {done} of {len(todos)} done:", *lines]))


def _check(todos: list[Todo]) -> None:
    if len(todos) > MOST:
        raise TryAgain(f"the list may have {count(MOST, 'entry', 'entries')}, not {len(todos)}")
    for place, one in enumerate(todos, start=1):
        if not one.text.strip():
            raise TryAgain(f"entry {place} has no text")
        if len(one.text) > TEXT_CHARACTERS:
            raise TryAgain(f"entry {place} is longer than {TEXT_CHARACTERS} characters")
    if sum(one.status == "in_progress" for one in todos) > 1:
        raise TryAgain("only one entry may be in_progress")


TOOL = tool(todo, idempotent=True)
