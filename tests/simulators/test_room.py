"""Room drives a simulator as a person would: a bare bot of the real library answers it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import telegram
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from adapters.telegram.simulator import TelegramSimulator
from tests.support.room import Room


async def echo(bot: telegram.Bot) -> None:
    """Answer every message after a placeholder, and every press with a notice."""
    offset = 0
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Again", callback_data="again")]])
    while True:
        for update in await bot.get_updates(offset=offset, timeout=30):
            offset = update.update_id + 1
            if update.message is not None:
                placeholder = await update.message.reply_text("…", do_quote=True)
                await placeholder.edit_text(f"you said {update.message.text}", reply_markup=keyboard)
            if update.callback_query is not None:
                await update.callback_query.answer("as you wish")


@pytest.fixture
async def room(sim: TelegramSimulator, bot: telegram.Bot) -> AsyncIterator[Room]:
    ann = sim.person("Ann")
    running = asyncio.ensure_future(echo(bot))
    yield Room(scene=sim.private(ann), person=ann)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_conversation(room: Room) -> None:
    answer = await room.asks("hello", "you said hello")
    assert answer.edits == ("…",)
    assert answer.reply_to == "1"
    assert await room.press("Again") == "as you wish"
    room.say("two", reply_to=answer)
    await room.shows(2)
    await room.sees("you said two")
    assert room.texts == ["you said hello", "you said two"]
    assert room.last.text == "you said two"


async def test_what_never_comes_fails_with_what_stands(room: Room) -> None:
    hasty = Room(scene=room.scene, person=room.person, seconds=0.05)
    with pytest.raises(AssertionError, match=r"nothing came in 0.05 s; the bot's messages: \[\]"):
        await hasty.sees("goodbye")
