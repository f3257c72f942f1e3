"""The real client library, pointed at a simulator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import telegram

from adapters.telegram.simulator import TelegramSimulator

TOKEN = "777:any-token-works"


@asynccontextmanager
async def client(simulator: TelegramSimulator, token: str = TOKEN) -> AsyncIterator[telegram.Bot]:
    """Yield a signed-in client."""
    async with telegram.Bot(token, base_url=simulator.base_url, base_file_url=simulator.base_file_url) as bot:
        yield bot


async def call(simulator: TelegramSimulator, method: str, **params: Any) -> dict[str, Any]:
    """Call a method as no careful client would, with JSON, and return the whole answer."""
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{simulator.base_url}{TOKEN}/{method}", json=params) as response,
    ):
        body: dict[str, Any] = await response.json()
        assert body["ok"] or body["error_code"] == response.status
        return body
