"""How a run ended."""

from __future__ import annotations

import pytest

from agent.items import AssistantItem, Item, ToolItem
from agent.outcome import outcome_of
from bot.seat import journal
from bot.work import RunOutcome

FINE = AssistantItem(text="ok")
FALLBACK = AssistantItem(text="sorry", error_fallback=True)
BROKEN_TOOL = ToolItem(call_id="1", name="t", text="failed", error=True)


@pytest.mark.parametrize(
    ("new", "cancelled", "outcome"),
    [
        ([FINE], False, RunOutcome.SUCCESS),
        ([BROKEN_TOOL, FINE], False, RunOutcome.SUCCESS),
        ([FALLBACK, FINE], False, RunOutcome.ERROR),
        ([FALLBACK], True, RunOutcome.CANCELLED),
        ([], False, RunOutcome.SUCCESS),
    ],
)
def test_e13_the_first_that_applies(new: list[Item], cancelled: bool, outcome: RunOutcome) -> None:
    with journal() as decisions:
        assert outcome_of(new, cancelled=cancelled) is outcome
    assert [(one.seat, one.outcome) for one in decisions] == [("E13", outcome.value)]
