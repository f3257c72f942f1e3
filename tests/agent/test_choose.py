from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from agent.choose import UnknownModel, choose
from bot.errors import SettingsError
from bot.seat import journal
from tests.support.models import a_profile

PROFILES = (a_profile(name="a"), a_profile(name="b"), a_profile(name="c"))


@pytest.mark.parametrize(
    ("named", "chosen"),
    [
        ({}, "a"),
        ({"agent_model": "b"}, "b"),
        ({"model": "c", "agent_model": "b"}, "c"),
        ({"model_name": "b", "model": "c"}, "b"),
        ({"model_name": " ", "model": "", "agent_model": "c"}, "c"),
    ],
)
def test_a1_the_first_name_wins(named: Any, chosen: str) -> None:
    with journal() as decisions:
        assert choose(PROFILES, **named).name == chosen
    assert [(d.seat, d.outcome) for d in decisions] == [("A1", chosen)]


def test_a1_an_unknown_name_falls_back_with_a_warning() -> None:
    with capture_logs() as logs:
        assert choose(PROFILES, model_name="zzz").name == "a"
    assert [(log["event"], log["log_level"], log["name"]) for log in logs] == [("model_unknown", "warning", "zzz")]


def test_a1_an_unknown_name_that_was_chosen_explicitly_is_refused() -> None:
    with journal() as decisions, pytest.raises(UnknownModel, match="zzz"):
        choose(PROFILES, model_name="zzz", explicit=True)
    assert decisions[0].outcome == "refused"


def test_a1_without_models_there_is_an_error() -> None:
    with pytest.raises(SettingsError, match="DECKHAND_MODEL"):
        choose((), model_name="a")
