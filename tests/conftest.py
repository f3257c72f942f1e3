"""Fixtures of all tests. Tests are alone on the machine, and every seat needs one: see the plugins."""

from __future__ import annotations

import pytest

from tests.support.hand_clock import HandClock

pytest_plugins = ["tests.support.alone", "tests.support.seats", "tests.support.databases"]


@pytest.fixture
def clock() -> HandClock:
    """A clock that only the test moves."""
    return HandClock()
