"""Turns for tests of single hooks."""

from __future__ import annotations

from pathlib import Path

from agent.folder import ThreadFolder
from agent.items import Item
from agent.thread import Thread
from agent.tool import ToolContext
from agent.turn import Plan, Turn
from agent.window import Space
from tests.agent.kit import ANN, HandClock, Shelf, Watched, script


def a_turn(home: Path, *own: Item) -> Turn:
    """A run in which this was added so far."""
    thread = Thread.of(Shelf().claim())
    thread.add(*own)
    context = ToolContext(
        thread_id=7,
        run_id=1,
        requester=ANN,
        folder=ThreadFolder.of(home, 7),
        clock=HandClock(),
        max_file_bytes=1_000,
    )
    plan = Plan(
        model=script(),
        system=(),
        thinking=False,
        effort="",
        temperature=None,
        max_tokens=None,
        steps=10,
        fixed_tokens=0,
        context=context,
    )
    return Turn(thread=thread, live=Watched(), plan=plan, space=Space(tokens=1_000, result_characters=1_000), step=0)
