"""One simulator and the real client for each test; what they exchanged is judged at the end."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import telegram

from adapters.telegram.simulator import TelegramSimulator
from tests.support.hand_clock import HandClock
from tests.support.telegram_client import client
from tests.support.telegram_schema import PAPER, judge


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def sim(clock: HandClock) -> AsyncIterator[TelegramSimulator]:
    simulator = TelegramSimulator(clock=clock, rate_limits=False)
    await simulator.start()
    yield simulator
    await simulator.stop()
    if PAPER.exists():
        assert judge(simulator) == []


@pytest.fixture
async def bot(sim: TelegramSimulator) -> AsyncIterator[telegram.Bot]:
    async with client(sim) as made:
        yield made
