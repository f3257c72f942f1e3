"""The real client library, pointed at a simulator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import telegram

from adapters.telegram.simulator import TelegramSimulator

TOKEN = "777:any-token-works"


@asynccontextmanager
async def client(simulator: TelegramSimulator, token: str = TOKEN) -> AsyncIterator[telegram.Bot]:
    """Yield a signed-in client."""
    async with telegram.Bot(token, base_url=simulator.base_url, base_file_url=simulator.base_file_url) as bot:
        yield bot
