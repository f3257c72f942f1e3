"""Webhooks: delivery in order, the secret, retries, and the conflict with polling."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import telegram
from aiohttp import web
from telegram.error import BadRequest, Conflict

from adapters._shared.simulator.server import LocalServer
from adapters._shared.simulator.signal import Signal
from adapters.telegram.simulator import TelegramSimulator
from tests.support.hand_clock import HandClock


class Receiver:
    """A bot's own server."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []
        self.secrets: list[str | None] = []
        self.answers: list[int] = []
        """Statuses to answer first; 200 after them."""
        self.changed = Signal()
        self.server = LocalServer(self._take, max_bytes=1_000_000)

    async def _take(self, request: web.BaseRequest) -> web.StreamResponse:
        self.got.append(await request.json())
        self.secrets.append(request.headers.get("X-Telegram-Bot-Api-Secret-Token"))
        self.changed.notify()
        return web.Response(status=self.answers.pop(0) if self.answers else 200)

    @property
    def ids(self) -> list[int]:
        return [update["update_id"] for update in self.got]

    async def until(self, count: int) -> None:
        await self.changed.until(lambda: len(self.got) >= count)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    await made.server.start("127.0.0.1", 0)
    yield made
    await made.server.stop()


async def test_updates_are_posted_in_order_with_the_secret(
    sim: TelegramSimulator, bot: telegram.Bot, receiver: Receiver
) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    chat.say(ann, "before")
    await bot.set_webhook(f"{receiver.server.url}/hook", secret_token="s3cret")
    for number in range(5):
        chat.say(ann, str(number))
    await receiver.until(6)
    assert [update["message"]["text"] for update in receiver.got] == ["before", "0", "1", "2", "3", "4"]
    assert set(receiver.secrets) == {"s3cret"}
    assert (await bot.get_webhook_info()).url == f"{receiver.server.url}/hook"


async def test_what_is_not_taken_is_posted_again_before_anything_else(
    sim: TelegramSimulator, bot: telegram.Bot, receiver: Receiver, clock: HandClock
) -> None:
    receiver.answers = [500, 503]
    await bot.set_webhook(receiver.server.url)
    ann = sim.person("Ann")
    sim.private(ann).say(ann, "one")
    sim.private(ann).say(ann, "two")
    for tries in (1, 2):
        await receiver.until(tries)
        while not clock.sleepers:
            await bot.get_me()
        clock.move(10)
    await receiver.until(4)
    assert receiver.ids == [9001, 9001, 9001, 9002]
    info = await bot.get_webhook_info()
    assert info.last_error_message == "Wrong response from the webhook: 503 Service Unavailable"


async def test_polling_and_a_webhook_exclude_each_other(
    sim: TelegramSimulator, bot: telegram.Bot, receiver: Receiver
) -> None:
    await bot.set_webhook(receiver.server.url)
    with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
        await bot.get_updates(timeout=0)
    await bot.delete_webhook()
    assert await bot.get_updates(timeout=0) == ()


async def test_pending_updates_can_be_dropped(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    sim.private(ann).say(ann, "forget it")
    assert (await bot.get_webhook_info()).pending_update_count == 1
    await bot.delete_webhook(drop_pending_updates=True)
    assert (await bot.get_webhook_info()).pending_update_count == 0


async def test_bad_webhooks_are_refused(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    with pytest.raises(BadRequest, match=r"(?i)bad webhook"):
        await bot.set_webhook("ftp://example.com")
    with pytest.raises(BadRequest, match="Secret token contains unallowed characters"):
        await bot.set_webhook("http://127.0.0.1:1/", secret_token="no spaces please")
