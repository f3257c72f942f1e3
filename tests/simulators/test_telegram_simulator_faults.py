"""Faults: what the simulator is told to do wrong, as the real client sees it."""

from __future__ import annotations

import asyncio

import pytest
import telegram
from telegram.error import BadRequest, NetworkError, RetryAfter

from adapters.telegram.simulator import TelegramSimulator
from tests.support.hand_clock import HandClock

# The library itself reads the attribute that it has deprecated, while it makes the error.
pytestmark = pytest.mark.filterwarnings("ignore:.*retry_after:telegram.warnings.PTBDeprecationWarning")


async def test_b12_too_fast_on_the_third_edit(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat, other = sim.private(sim.person("Ann")), sim.private(sim.person("Bob"))
    sim.faults.too_fast("editMessageText", retry_after=7, nth=3, chat=str(chat.id))
    sent = await bot.send_message(chat.id, "…")
    elsewhere = await bot.send_message(other.id, "…")
    for text in ("one", "two"):
        await bot.edit_message_text(text, chat.id, sent.message_id)
        await bot.edit_message_text(text, other.id, elsewhere.message_id)
    await bot.edit_message_text("three", other.id, elsewhere.message_id)
    with pytest.raises(RetryAfter) as caught:
        await bot.edit_message_text("three", chat.id, sent.message_id)
    assert caught.value._retry_after.total_seconds() == 7
    assert chat.shown()[0].text == "two"
    await bot.edit_message_text("three", chat.id, sent.message_id)
    assert chat.shown()[0].text == "three"


async def test_b07_cannot_parse_once(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sim.faults.cannot_parse("sendMessage")
    with pytest.raises(BadRequest, match="Can't parse entities"):
        await bot.send_message(chat.id, "hello")
    await bot.send_message(chat.id, "hello")
    assert len(chat.shown()) == 1


@pytest.mark.parametrize(("status", "complaint"), [(502, "Bad Gateway"), (500, "Internal Server Error")])
async def test_a_broken_gateway_does_nothing(
    sim: TelegramSimulator, bot: telegram.Bot, status: int, complaint: str
) -> None:
    chat = sim.private(sim.person("Ann"))
    sim.faults.server_error("sendMessage", status=status)
    with pytest.raises(NetworkError, match=complaint):
        await bot.send_message(chat.id, "hello")
    assert chat.shown() == ()


async def test_a_dropped_call_did_nothing_and_a_lost_answer_did(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sim.faults.drop("sendMessage")
    sim.faults.lose_answer("sendMessage", nth=2)
    with pytest.raises(NetworkError):
        await bot.send_message(chat.id, "never")
    assert chat.shown() == ()
    await bot.send_message(chat.id, "fine")
    with pytest.raises(NetworkError):
        await bot.send_message(chat.id, "lost, but there")
    assert [shown.text for shown in chat.shown()] == ["fine", "lost, but there"]
    assert [call.fault for call in sim.calls.of("sendMessage")] == ["drop", "", "lose"]


async def test_a_delay_takes_the_clocks_time(sim: TelegramSimulator, bot: telegram.Bot, clock: HandClock) -> None:
    chat = sim.private(sim.person("Ann"))
    sim.faults.delay("sendMessage", seconds=3)
    sending = asyncio.ensure_future(bot.send_message(chat.id, "slow"))
    while not clock.sleepers:
        await bot.get_me()
    assert chat.shown() == ()
    clock.move(3)
    await sending
    assert chat.shown()[0].text == "slow"


async def test_faults_can_follow_a_condition_and_stay(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sim.faults.refuse("sendMessage", "chat not found", when=lambda call: "bad" in call.params["text"], times=None)
    await bot.send_message(chat.id, "good")
    for _ in range(3):
        with pytest.raises(BadRequest, match="Chat not found"):
            await bot.send_message(chat.id, "bad")
    assert len(sim.faults.plan.pending) == 1
    sim.faults.clear()
    await bot.send_message(chat.id, "bad")


async def test_a_fault_without_a_method_spares_polls(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    sim.faults.server_error()
    await bot.get_updates(timeout=0)
    with pytest.raises(NetworkError):
        await bot.get_me()
