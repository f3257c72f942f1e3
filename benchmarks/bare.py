"""The bare bot: python-telegram-bot and one model request, with no state. What an afternoon gives.

It keeps no order and survives no kill, so it is a limit of speed, not of quality.
"""

from __future__ import annotations

import os

import aiohttp
from telegram import Update
from telegram.ext import Application, ContextTypes, MessageHandler, filters


class Bare:
    """Asks the model for each message and sends what it says."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session: aiohttp.ClientSession | None = None

    async def open(self, _application: object) -> None:
        self._session = aiohttp.ClientSession()

    async def answer(self, update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        assert self._session is not None and update.message is not None
        messages = [
            {"role": "system", "content": "Be brief and kind."},
            {"role": "user", "content": update.message.text},
        ]
        async with self._session.post(self._url, json={"model": "bench", "messages": messages}) as response:
            data = await response.json()
        await update.message.reply_text(data["choices"][0]["message"]["content"])


def main() -> None:
    bare = Bare(os.environ["OPENAI_BASE_URL"] + "/chat/completions")
    application = (
        Application.builder()
        .token(os.environ["TELEGRAM_TOKEN"])
        .base_url(os.environ["TELEGRAM_API_URL"] + "/bot")
        .concurrent_updates(256)
        .connection_pool_size(256)
        .pool_timeout(30)
        .post_init(bare.open)
        .build()
    )
    application.add_handler(MessageHandler(filters.TEXT, bare.answer))
    application.run_polling()


if __name__ == "__main__":
    main()
