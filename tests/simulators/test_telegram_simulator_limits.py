"""Rates: what is too fast, by a clock that the test moves."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import telegram
from telegram.error import RetryAfter

from adapters.telegram.simulator import TelegramSimulator
from tests.support.hand_clock import HandClock
from tests.support.telegram_client import client

# The library itself reads the attribute that it has deprecated, while it makes the error.
pytestmark = pytest.mark.filterwarnings("ignore:.*retry_after:telegram.warnings.PTBDeprecationWarning")


@pytest.fixture
async def strict(clock: HandClock) -> AsyncIterator[TelegramSimulator]:
    simulator = TelegramSimulator(clock=clock)
    await simulator.start()
    yield simulator
    await simulator.stop()


@pytest.fixture
async def hurried(strict: TelegramSimulator) -> AsyncIterator[telegram.Bot]:
    async with client(strict) as made:
        yield made


async def test_a_chat_takes_a_short_burst_and_then_one_a_second(
    strict: TelegramSimulator, hurried: telegram.Bot, clock: HandClock
) -> None:
    chat = strict.private(strict.person("Ann"))
    for number in range(5):
        await hurried.send_message(chat.id, str(number))
    with pytest.raises(RetryAfter) as caught:
        await hurried.send_message(chat.id, "too fast")
    assert caught.value._retry_after.total_seconds() == 1
    clock.move(1)
    sent = await hurried.send_message(chat.id, "in time")
    with pytest.raises(RetryAfter):
        await hurried.edit_message_text("edits count too", chat.id, sent.message_id)
    assert [shown.text for shown in chat.shown()] == ["0", "1", "2", "3", "4", "in time"]


async def test_a_group_takes_twenty_a_minute(
    strict: TelegramSimulator, hurried: telegram.Bot, clock: HandClock
) -> None:
    group = strict.group("Ops", [strict.person("Ann")])
    for number in range(20):
        await hurried.send_message(group.id, str(number))
    with pytest.raises(RetryAfter) as caught:
        await hurried.send_message(group.id, "too fast")
    assert caught.value._retry_after.total_seconds() == 3
    clock.move(60)
    for number in range(20):
        await hurried.send_message(group.id, str(number))


async def test_a_bot_sends_thirty_a_second_in_all(
    strict: TelegramSimulator, hurried: telegram.Bot, clock: HandClock
) -> None:
    chats = [strict.private(strict.person(f"P{number}")) for number in range(31)]
    for chat in chats[:30]:
        await hurried.send_message(chat.id, "x")
    with pytest.raises(RetryAfter):
        await hurried.send_message(chats[30].id, "x")
    clock.move(0.1)
    await hurried.send_message(chats[30].id, "x")


async def test_limits_can_be_switched_off(strict: TelegramSimulator, hurried: telegram.Bot) -> None:
    strict.state.limiter.enabled = False
    chat = strict.private(strict.person("Ann"))
    for _ in range(40):
        await hurried.send_message(chat.id, "x")
