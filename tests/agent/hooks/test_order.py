"""The order of the hooks: declared by each, checked against the seats."""

from __future__ import annotations

import pytest

from agent import hooks
from agent.hook import Hook
from agent.hooks import ORDER, ordered
from bot.errors import RegistrationError
from bot.registry import discover
from bot.seat import Decider, Seat


def hook(name: str, *seats: str, after: tuple[str, ...] = (), before: tuple[str, ...] = ()) -> Hook:
    made = Hook()
    made.name, made.after, made.before = name, after, before
    made.seats = tuple(Seat(id=seat, title=seat, who=Decider.CODE, rule="") for seat in seats)
    return made


def test_ours_lie_as_the_seats_say() -> None:
    found = [one.name for one in ordered(discover(hooks, "HOOK", Hook).values())]
    assert found == ["pairing", "one_system", "empty_reply", "length_cut", "safety_stop"]


def test_each_place_is_named_once() -> None:
    assert len(set(ORDER)) == len(ORDER)


def test_neighbours_are_obeyed_from_both_sides() -> None:
    found = ordered([hook("a", after=("b",)), hook("b"), hook("c", before=("b",))])
    assert [one.name for one in found] == ["c", "b", "a"]


def test_neighbours_that_do_not_exist_are_nobody() -> None:
    assert [one.name for one in ordered([hook("a", after=("ghost",), before=("spirit",))])] == ["a"]


def test_a_circle_names_its_hooks() -> None:
    with pytest.raises(RegistrationError, match=r"'a'.*'b'|'b'.*'a'"):
        ordered([hook("a", after=("b",)), hook("b", after=("a",))])


def test_an_order_against_the_seats_names_both_hooks() -> None:
    with pytest.raises(RegistrationError, match="hook 'promote' must lie around hook 'hide'"):
        ordered([hook("hide", "A17"), hook("promote", "A19", after=("hide",))])


def test_a_hook_without_a_seat_may_lie_between() -> None:
    found = ordered([hook("a", "C1"), hook("m", after=("a",)), hook("z", "C5", after=("m",))])
    assert [one.name for one in found] == ["a", "m", "z"]


def test_an_order_is_checked_across_hooks_without_a_seat() -> None:
    with pytest.raises(RegistrationError, match="'a' must lie around hook 'z'"):
        ordered([hook("z", "C5"), hook("m", after=("z",)), hook("a", "C1", after=("m",))])
