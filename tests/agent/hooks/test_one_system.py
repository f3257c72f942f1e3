"""One system message with one date (seat B7)."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from agent.hooks.one_system import HOOK, merge
from agent.model import Message, Request, SystemMessage, UserMessage
from agent.prompt import date_line
from bot.seat import journal
from tests.agent.hooks.turns import a_turn

YESTERDAY, TODAY = date_line(date(2026, 3, 3)), date_line(date(2026, 3, 4))
HELLO = UserMessage(text="hello")


def test_b7_all_become_one_with_the_newest_date_at_the_end() -> None:
    messages: tuple[Message, ...] = (
        SystemMessage(text="you are"),
        SystemMessage(text=TODAY),
        HELLO,
        SystemMessage(text=YESTERDAY),
        SystemMessage(text="a note"),
    )
    assert merge(messages) == (SystemMessage(text=f"you are\n\na note\n\n{TODAY}"), HELLO)


def test_b7_a_single_one_moves_to_the_front() -> None:
    assert merge((HELLO, SystemMessage(text="you are"))) == (SystemMessage(text="you are"), HELLO)


async def test_b7_a_request_without_one_is_left_alone(tmp_path: Path) -> None:
    request = Request(messages=(HELLO,))
    assert await HOOK.before_model(a_turn(tmp_path), request) is request


async def test_b7_a_merge_is_recorded(tmp_path: Path) -> None:
    request = Request(messages=(SystemMessage(text="you are"), SystemMessage(text=TODAY), HELLO))
    with journal() as decisions:
        merged = await HOOK.before_model(a_turn(tmp_path), request)
    assert len(merged.messages) == 2
    assert [(one.seat, one.because) for one in decisions] == [("B7", "2 system texts")]
