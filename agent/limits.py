"""How many steps a run may take (seat F1). Pure."""

from __future__ import annotations

from bot.seat import Decider, Seat, decided
from bot.settings import Limits

SEATS = (
    Seat(
        id="F1",
        title="Step limit",
        who=Decider.CODE,
        rule=(
            "What the agent asks for if it is a positive whole number, else limits.steps; at least "
            "limits.steps_unattended where nobody watches; never above limits.steps_most. One that needs more fails"
        ),
        setting="limits.steps",
    ),
)

TURN_CAPPED = "turn_capped"
"""The stop reason of a run that reached the limit."""


def step_limit(requested: object, limits: Limits, *, unattended: bool) -> int:
    """Return how many times the model may be asked in one run."""
    valid = isinstance(requested, int) and not isinstance(requested, bool) and requested > 0
    steps = requested if valid and isinstance(requested, int) else limits.steps
    because = "asked for" if valid else "limits.steps"
    if unattended and steps < limits.steps_unattended:
        steps, because = limits.steps_unattended, "limits.steps_unattended: nobody watches"
    if steps > limits.steps_most:
        steps, because = limits.steps_most, "limits.steps_most"
    decided("F1", outcome=f"at most {steps}", because=because)
    return steps


def exceeded(steps: int) -> None:
    """Record that a run reached its limit."""
    decided("F1", outcome="ended", because=f"no final answer within {steps} steps")
