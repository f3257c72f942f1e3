from __future__ import annotations

from typing import Any

import pytest

from agent.thinking import Resolved, ThinkingRequired, Wish, resolve
from bot.seat import journal
from bot.settings import Thinking

OPTIONAL = Thinking(support="optional")
REQUIRED = Thinking(support="required")
WORDS = Thinking(support="optional", efforts=("low", "high"), aliases={"medium": "low"}, default_effort="high")
LEGACY = Thinking(support="optional", legacy_efforts=True)


def of(contract: Thinking, request: Wish | None = None, agent: Wish | None = None) -> Resolved:
    return resolve(contract, model="m", request=request or Wish(), agent=agent or Wish())


@pytest.mark.parametrize(
    ("request_says", "agent_says", "on"),
    [(None, None, True), (None, False, False), (False, True, False), (True, False, True)],
)
def test_a2_the_request_comes_before_the_agent(request_says: bool | None, agent_says: bool | None, on: bool) -> None:
    assert of(OPTIONAL, Wish(thinking=request_says), Wish(thinking=agent_says)) == Resolved(thinking=on, effort="")


@pytest.mark.parametrize(
    ("contract", "wanted", "on", "adjustments"),
    [
        (Thinking(), True, False, ("thinking_unsupported",)),
        (Thinking(), False, False, ()),
        (REQUIRED, True, True, ()),
        (REQUIRED, False, True, ("thinking_forced_on",)),
        (OPTIONAL, False, False, ()),
    ],
)
def test_a2_the_contract_decides(contract: Thinking, wanted: bool, on: bool, adjustments: tuple[str, ...]) -> None:
    assert of(contract, Wish(thinking=wanted)) == Resolved(thinking=on, effort="", adjustments=adjustments)


def test_a2_a_model_that_must_think_may_refuse() -> None:
    contract = Thinking(support="required", on_disable_request="reject")
    with journal() as decisions, pytest.raises(ThinkingRequired):
        of(contract, Wish(thinking=False))
    assert [(d.seat, d.outcome) for d in decisions] == [("A2", "refused")]


@pytest.mark.parametrize(
    ("contract", "wanted", "effort", "adjustments"),
    [
        (OPTIONAL, "high", "", ("effort_unsupported",)),
        (WORDS, "low", "low", ()),
        (WORDS, "medium", "low", ("effort_aliased",)),
        (WORDS, "max", "high", ("effort_unsupported_value",)),
        (WORDS, 3, "high", ("effort_unsupported_value",)),
        (WORDS, None, "high", ()),
        (WORDS, "", "high", ()),
        (LEGACY, "minimal", "minimal", ()),
        (LEGACY, "max", "", ("effort_unsupported_value",)),
        (LEGACY, ["high"], "", ("effort_unsupported_value",)),
    ],
)
def test_a2_efforts(contract: Thinking, wanted: Any, effort: str, adjustments: tuple[str, ...]) -> None:
    assert of(contract, Wish(effort=wanted)) == Resolved(thinking=True, effort=effort, adjustments=adjustments)


def test_a2_the_requests_effort_comes_before_the_agents() -> None:
    assert of(WORDS, Wish(effort="low"), Wish(effort="high")).effort == "low"
    assert of(WORDS, Wish(), Wish(effort="low")).effort == "low"


def test_a2_each_change_is_in_the_journal() -> None:
    with journal() as decisions:
        of(Thinking(support="required", efforts=("low",)), Wish(thinking=False, effort="max"))
    assert decisions[0].because == "thinking_forced_on, effort_unsupported_value"
