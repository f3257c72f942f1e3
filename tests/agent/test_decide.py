"""What follows an answer."""

from __future__ import annotations

import pytest

from agent.decide import Answered, GiveUp, Next, RunTools, decide
from agent.said import Said, with_own_ids
from tests.agent.kit import call

CALLS = (call("now"),)


@pytest.mark.parametrize(
    ("said", "step", "following"),
    [
        (Said(text="hi"), 1, Answered(text="hi")),
        (Said(text=""), 1, Answered(text="")),
        (Said(text="", calls=CALLS), 1, RunTools(calls=CALLS)),
        (Said(text="wait", calls=CALLS), 2, RunTools(calls=CALLS)),
        (Said(text="", calls=CALLS), 3, GiveUp(steps=3)),
        (Said(text="", calls=CALLS), 4, GiveUp(steps=3)),
        (Said(text="at last"), 3, Answered(text="at last")),
    ],
)
def test_what_follows(said: Said, step: int, following: Next) -> None:
    assert decide(said, step=step, most=3) == following


def test_ids_of_others_are_not_taken() -> None:
    said = with_own_ids(Said(text="", calls=(call("a", id="x"), call("b", id=""), call("c", id="y"))), {"x", "call_2"})
    ids = [one.id for one in said.calls]
    assert ids[2] == "y"
    assert len({*ids, "x", "call_2"}) == 5
    assert [one.name for one in said.calls] == ["a", "b", "c"]


def test_the_reason_of_the_first_guard_stays() -> None:
    said = Said(text="half", calls=CALLS, stop_reason="first")
    assert said.without_calls(notice="(cut)", stop_reason="second") == Said(
        text="half\n\n(cut)", calls=(), stop_reason="first"
    )
