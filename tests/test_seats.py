"""Seats: each has a test of its own; `tests/support/seats.py` sees that it decides there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest

from bot.console._catalogue import seats
from bot.errors import RegistrationError
from bot.seat import Decider, Seat, Seats, decided, observe
from tests.support.seats import SeatWatch, is_whole, seat_of, unmoved

TESTS = Path(__file__).parent
REGISTERED = [seat.id for seat in seats()]


def named_after_seats() -> set[str]:
    """Return the seats that a test anywhere is named after."""
    text = "\n".join(path.read_text() for path in TESTS.rglob("test_*.py"))
    return {seat_of(name) for name in re.findall(r"def (test_\w+)\(", text)} - {""}


@pytest.mark.parametrize("seat", REGISTERED)
def test_every_seat_has_a_test_named_after_it(seat: str) -> None:
    assert seat in named_after_seats(), f"write a test_{seat.lower()}_… that makes the seat decide"


def test_seats_are_found_in_every_folder_that_declares_some() -> None:
    assert {"A1", "A9", "C1", "E1", "F1"} <= set(REGISTERED)


def test_a_seat_that_is_declared_twice_is_an_error_that_names_both_files() -> None:
    seat = Seat(id="A1", title="x", who=Decider.CODE, rule="x")
    with pytest.raises(RegistrationError, match="second declares seat A1, which first declares"):
        Seats(iter([("first", seat), ("second", seat)]))


def test_the_name_of_a_test_tells_its_seat() -> None:
    assert seat_of("test_d28_a_taken_name[x]") == "D28"
    assert seat_of("test_decide") == ""


def test_a_seat_is_missed_when_no_test_of_its_own_made_it_decide() -> None:
    assert unmoved(["A1", "B2"], {"A1"}) == ["B2"]
    assert unmoved(["A1"], {"A1", "C3"}) == []


def test_an_observer_sees_decisions_until_it_stops() -> None:
    seen: list[str] = []
    stop = observe(lambda decision: seen.append(decision.outcome))
    decided("X1", outcome="first", because="of the test")
    stop()
    decided("X1", outcome="second", because="of the test")
    assert seen == ["first"]


@pytest.mark.parametrize(
    ("test", "outcome", "counted"),
    [
        ("x.py::test_x1_it_decides", "passed", {"X1"}),
        ("x.py::test_x1_it_decides", "failed", set()),
        ("x.py::test_x2_another", "passed", set()),
        ("x.py::test_something_else", "passed", set()),
    ],
)
def test_a_decision_counts_for_a_passed_test_of_its_seat(
    test: str, outcome: Literal["passed", "failed"], counted: set[str]
) -> None:
    watch = SeatWatch()
    watch.pytest_sessionstart()
    decided("X1", outcome="x", because="of the test")
    watch.stop()
    watch.pytest_runtest_logreport(
        pytest.TestReport(
            nodeid=test, location=("x.py", 1, "x"), keywords={}, outcome=outcome, longrepr=None, when="call"
        )
    )
    assert watch.decided == counted


def test_a_part_of_the_suite_is_not_the_whole(pytestconfig: pytest.Config) -> None:
    narrowed = pytestconfig.invocation_params.args
    paths = [word for word in narrowed if "test_" in str(word)]
    if paths:
        assert not is_whole(pytestconfig)
