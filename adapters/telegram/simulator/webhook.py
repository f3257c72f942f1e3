"""Webhook: updates are posted to the bot's address, one after another. https://core.telegram.org/bots/api#setwebhook"""

from __future__ import annotations

import asyncio

import aiohttp

from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.updates import Update
from bot.clock import Clock

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
ANSWER_SECONDS = 60.0
RETRY_SECONDS = 0.25
RETRY_MOST_SECONDS = 60.0


class Webhooks:
    """Delivers to the bots that have set an address."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tasks: dict[Bot, asyncio.Task[None]] = {}
        self._session: aiohttp.ClientSession | None = None

    def set(self, bot: Bot) -> None:
        """Deliver to the bot's address from now on, or stop where it has none."""
        task = self._tasks.pop(bot, None)
        if task is not None:
            task.cancel()
        if bot.updates.webhook_url:
            self._tasks[bot] = asyncio.ensure_future(self._deliver(bot))

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _deliver(self, bot: Bot) -> None:
        failures = 0
        while True:
            update = bot.updates.head()
            if update is None:
                await bot.updates.arrived.changed()
                continue
            error = await self._post(bot, update)
            if not error:
                failures = 0
                bot.updates.done(update)
                continue
            failures += 1
            bot.webhook_error = error
            bot.webhook_error_at = int(self._clock.now().timestamp())
            await self._clock.sleep(min(RETRY_MOST_SECONDS, RETRY_SECONDS * 2 ** min(failures - 1, 20)))

    async def _post(self, bot: Bot, update: Update) -> str:
        """Post one update and return what went wrong, empty when it was taken."""
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ANSWER_SECONDS))
        headers = {"Content-Type": "application/json"}
        if bot.secret:
            headers[SECRET_HEADER] = bot.secret
        try:
            async with self._session.post(bot.updates.webhook_url, data=update.raw, headers=headers) as response:
                if 200 <= response.status < 300:
                    return ""
                return f"Wrong response from the webhook: {response.status} {response.reason}"
        except (aiohttp.ClientError, TimeoutError) as error:
            return f"Connection failed: {type(error).__name__}"
