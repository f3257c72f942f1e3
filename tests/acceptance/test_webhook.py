"""The platform calls us, instead of being asked."""

from __future__ import annotations

import socket
from typing import Any

from bot.settings import AdapterSettings, Web
from tests.acceptance.conftest import Build
from tests.support.house import TOKEN, House, house_settings
from tests.support.until import until


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def by_webhook(polled: House) -> None:
    """Turn a bot that polls into one that is called."""
    await polled.close()
    port = _free_port()
    environment = {
        "TELEGRAM_TOKEN": TOKEN,
        "TELEGRAM_API_URL": polled.simulator.url,
        "TELEGRAM_WEBHOOK_SECRET": "a-secret-of-the-webhook",
    }
    adapters: dict[str, Any] = {
        **polled.settings.adapters,
        "telegram": AdapterSettings(environment=environment, options={"webhook_url": f"http://127.0.0.1:{port}"}),
    }
    polled.settings = house_settings(polled.home, polled.simulator.url, web=Web(port=port), adapters=adapters)
    await polled.start()


async def test_a_conversation_by_webhook_goes_on_where_polling_left_it(build: Build) -> None:
    house = await build()
    ann = house.private()
    await ann.asks("by polling", "answer to by polling")
    await house.quiet()
    await by_webhook(house)
    polls = house.simulator.bot().updates.polls
    await ann.asks("by webhook", "answer to by webhook")
    house.simulator.bot().updates.redeliver()
    await ann.asks("once more", "answer to once more")
    await house.quiet()
    assert ann.texts == ["answer to by polling", "answer to by webhook", "answer to once more"]
    assert house.simulator.bot().updates.polls == polls
    assert await house.rows("SELECT count(DISTINCT thread_id) FROM run") == [(1,)]
    assert "a-secret-of-the-webhook" not in house.records


async def test_what_comes_while_the_bot_is_down_waits_at_the_platform(build: Build) -> None:
    house = await build()
    await by_webhook(house)
    ann = house.private()
    await ann.asks("hello", "answer to hello")
    await house.drop()
    ann.say("anybody there?")
    await until(lambda: bool(house.simulator.bot().webhook_error))
    await house.start()
    await ann.sees("answer to anybody there?")
    await house.quiet()
    assert ann.texts == ["answer to hello", "answer to anybody there?"]
