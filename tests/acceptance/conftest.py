"""A house for each story; whatever our adapter called in it is judged at the end."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import structlog

from adapters.telegram.simulator import TelegramSimulator
from bot.log import start_logging
from tests.support.house import TOKEN, House, HurriedClock, house_settings
from tests.support.telegram_schema import PAPER, judge

Build = Callable[..., Awaitable[House]]


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Everything that is logged meanwhile, unmasked: what is in here was logged."""
    stream = StringIO()
    bridge = start_logging(clock=HurriedClock(), stream=stream, level="debug")
    structlog.configure(cache_logger_on_first_use=False)
    yield stream
    logging.getLogger().removeHandler(bridge)
    structlog.reset_defaults()


@pytest.fixture
async def build(tmp_path: Path, log: StringIO) -> AsyncIterator[Build]:
    """Build a house with other settings than usual and start it."""
    built: list[House] = []

    async def build(**changes: Any) -> House:
        clock = HurriedClock()
        simulator = TelegramSimulator(clock=clock)
        await simulator.start()
        settings = house_settings(tmp_path / "home", simulator.url, **changes)
        house = House(home=settings.home, log=log, simulator=simulator, clock=clock, settings=settings)
        built.append(house)
        await house.start()
        return house

    yield build
    for house in built:
        await house.close()
        await house.simulator.stop()
        assert TOKEN.partition(":")[2] not in log.getvalue()
        assert house.simulator.calls.problems() == []
        assert _violations(house) == []


def _violations(house: House) -> list[str]:
    """Return what the published description of the platform says against this story."""
    if not PAPER.exists():
        return []  # `test_health.py` says so.
    return [one for one in judge(house.simulator) if not (house.lies and one.startswith("getUpdates answer"))]


@pytest.fixture
async def house(build: Build) -> House:
    return await build()
