"""How many steps a run may take."""

from __future__ import annotations

import pytest

from agent.limits import step_limit
from bot.seat import journal
from bot.settings import Limits


@pytest.mark.parametrize(
    ("requested", "unattended", "steps"),
    [
        (None, False, 100),
        (5, False, 5),
        (5000, False, 1000),
        (True, False, 100),
        (-1, False, 100),
        (0, False, 100),
        ("7", False, 100),
        (None, True, 250),
        (10, True, 250),
        (400, True, 400),
        (5000, True, 1000),
    ],
)
def test_f1_what_is_asked_for_counts_within_bounds(requested: object, unattended: bool, steps: int) -> None:
    with journal() as decisions:
        assert step_limit(requested, Limits(), unattended=unattended) == steps
    assert [(one.seat, one.outcome) for one in decisions] == [("F1", f"at most {steps}")]


def test_f1_the_operator_s_bound_stands_above_all() -> None:
    assert step_limit(50, Limits(steps_most=20), unattended=True) == 20
