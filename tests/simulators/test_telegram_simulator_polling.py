"""Polling: what is confirmed, what is kept, and who may poll."""

from __future__ import annotations

import asyncio

import pytest
import telegram
from telegram.error import Conflict, NetworkError

from adapters.telegram.simulator import TelegramSimulator
from tests.support.hand_clock import HandClock
from tests.support.telegram_client import client


async def texts(bot: telegram.Bot, *, offset: int = 0, limit: int = 100, timeout: int = 0) -> list[tuple[int, str]]:
    updates = await bot.get_updates(offset=offset, limit=limit, timeout=timeout)
    return [(update.update_id, str(update.message.text)) for update in updates if update.message]


def say(sim: TelegramSimulator, *said: str) -> None:
    ann = sim.person("Ann")
    for text in said:
        sim.private(ann).say(ann, text)


async def until_polled(sim: TelegramSimulator) -> None:
    while not sim.bot().updates.is_polled:
        await sim.bot().updates.arrived.changed()


async def test_b30_updates_stay_until_the_offset_confirms_them(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    say(sim, "one", "two", "three")
    assert await texts(bot, limit=2) == [(9001, "one"), (9002, "two")]
    assert await texts(bot) == [(9001, "one"), (9002, "two"), (9003, "three")]
    assert await texts(bot, offset=9003) == [(9003, "three")]
    assert await texts(bot) == [(9003, "three")]
    assert await texts(bot, offset=9004) == []


async def test_b30_a_restarted_simulator_still_has_what_was_not_confirmed(
    sim: TelegramSimulator, bot: telegram.Bot
) -> None:
    say(sim, "one", "two")
    assert await texts(bot, limit=1) == [(9001, "one")]
    async with client(sim) as restarted:
        assert await texts(restarted) == [(9001, "one"), (9002, "two")]


async def test_a_negative_offset_forgets_all_but_the_latest(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    say(sim, "one", "two", "three")
    assert await texts(bot, offset=-1) == [(9003, "three")]
    assert await texts(bot) == [(9003, "three")]


async def test_a_long_poll_ends_with_the_first_update(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    poll = asyncio.ensure_future(texts(bot, timeout=30))
    await until_polled(sim)
    say(sim, "at last")
    assert await poll == [(9001, "at last")]


async def test_the_second_poller_ends_the_first(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    first = asyncio.ensure_future(texts(bot, timeout=30))
    await until_polled(sim)
    async with client(sim) as other:
        second = asyncio.ensure_future(texts(other, timeout=30))
        with pytest.raises(Conflict, match="terminated by other getUpdates request"):
            await first
        await until_polled(sim)
        say(sim, "for the second")
        assert await second == [(9001, "for the second")]


async def test_only_the_kinds_that_were_asked_for_are_queued(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    await bot.get_updates(timeout=0, allowed_updates=["edited_message"])
    ann = sim.person("Ann")
    chat = sim.private(ann)
    message = chat.say(ann, "one")
    chat.edit(message, "uno")
    [update] = await bot.get_updates(timeout=5)
    assert update.message is None and update.edited_message is not None


async def test_updates_are_kept_for_a_day(sim: TelegramSimulator, bot: telegram.Bot, clock: HandClock) -> None:
    say(sim, "old")
    clock.move(23 * 3600)
    say(sim, "new")
    clock.move(2 * 3600)
    assert await texts(bot) == [(9002, "new")]


async def test_updates_can_come_again(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    say(sim, "one", "two")
    assert len(await texts(bot)) == 2
    assert await texts(bot, offset=9003) == []
    sim.bot().updates.redeliver()
    assert await texts(bot, offset=9003) == [(9002, "two")]
    assert await texts(bot, offset=9003) == []
    sim.bot().updates.redeliver(2)
    assert await texts(bot, offset=9003) == [(9001, "one"), (9002, "two")]


async def test_updates_can_be_held_and_turned_round(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    sim.bot().updates.hold()
    say(sim, "one", "two")
    assert await texts(bot) == []
    sim.bot().updates.release(reverse=True)
    assert await texts(bot) == [(9002, "two"), (9001, "one")]


async def test_a_poll_can_be_cut_off(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    poll = asyncio.ensure_future(texts(bot, timeout=30))
    await until_polled(sim)
    assert sim.bot().updates.disconnect()
    with pytest.raises(NetworkError):
        await poll
    say(sim, "still there")
    assert await texts(bot) == [(9001, "still there")]


async def test_stopping_ends_a_poll(clock: HandClock) -> None:
    simulator = TelegramSimulator(clock=clock)
    await simulator.start()
    async with client(simulator) as bot:
        poll = asyncio.ensure_future(texts(bot, timeout=30))
        await until_polled(simulator)
        await simulator.stop()
        assert await poll == []
