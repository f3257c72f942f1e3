"""Api: calls by the names of the platform's documentation, raw JSON in and out."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache
from typing import Any
from urllib.parse import quote

from telegram import Bot

from adapters.telegram.transport import READ_SECONDS, AiohttpRequest

OFFICIAL = "https://api.telegram.org"


class Api:
    """One bot account."""

    def __init__(self, token: str, url: str) -> None:
        self._request = AiohttpRequest()
        root = (url or OFFICIAL).rstrip("/")
        self._bot = Bot(
            token,
            base_url=f"{root}/bot",
            base_file_url=f"{root}/file/bot",
            request=self._request,
            get_updates_request=self._request,
        )

    async def start(self) -> None:
        """Connect and check the token. Raises `telegram.error.TelegramError`."""
        await self._bot.initialize()

    @property
    def id(self) -> int:
        return self._bot.id

    @property
    def username(self) -> str:
        return self._bot.bot.username or ""

    async def call(self, method: str, /, *, answer_seconds: float = READ_SECONDS, **parameters: Any) -> Any:
        """Make a call and return its result. Raises `telegram.error.TelegramError`."""
        return await self._bot.do_api_request(_spelled(method), api_kwargs=parameters, read_timeout=answer_seconds)

    async def download(self, file_path: str) -> AsyncGenerator[bytes, None]:
        """Yield the bytes of a file that `getFile` named. Raises `telegram.error.TelegramError`."""
        # The address holds the token: it goes nowhere else.
        async with aclosing(self._request.download(f"{self._bot.base_file_url}/{quote(file_path)}")) as chunks:
            async for chunk in chunks:
                yield chunk

    async def close(self) -> None:
        await self._bot.shutdown()


@cache
def _spelled(method: str) -> str:
    """Return a method's name in a spelling that the library passes on.

    It warns at every raw call whose name is one of its own methods, so `sendMessage` is written `send_Message`,
    which it turns back.
    """
    return re.sub(r"(?=[A-Z])", "_", method)
