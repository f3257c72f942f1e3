"""How a run ended (seat E13). Pure."""

from __future__ import annotations

from collections.abc import Iterable

from agent.items import AssistantItem, Item
from bot.seat import Decider, Seat, decided
from bot.work import RunOutcome

SEATS = (
    Seat(
        id="E13",
        title="Outcome of a run",
        who=Decider.CODE,
        rule=(
            "Cancelled if somebody stopped it; else error if an answer of this run stands in for a failure; else "
            "success. A guard that cut an answer leaves its stop reason and changes nothing here"
        ),
    ),
)


def outcome_of(new: Iterable[Item], *, cancelled: bool) -> RunOutcome:
    """Return the outcome from what this run added to the thread; what was there before does not count."""
    if cancelled:
        outcome, because = RunOutcome.CANCELLED, "somebody stopped it"
    elif any(isinstance(item, AssistantItem) and item.error_fallback for item in new):
        outcome, because = RunOutcome.ERROR, "an answer of this run stands in for a failure"
    else:
        outcome, because = RunOutcome.SUCCESS, "nothing failed"
    decided("E13", outcome=outcome.value, because=because)
    return outcome
