"""Telegram: bots in private chats, groups, forums and channels."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from adapters.telegram import facts
from adapters.telegram.render import plainer, preview, render
from adapters.telegram.settings import ENVIRONMENT, OPTIONS
from bot.adapter import Adapter, Capabilities, Check, Connection, Toolkit
from bot.registry import load
from bot.replies import Part, Reply


class TelegramAdapter:
    """Speaks the Bot API through python-telegram-bot."""

    name = facts.NAME
    capabilities: Capabilities = facts.CAPABILITIES
    environment: Mapping[str, str] = ENVIRONMENT
    options: Mapping[str, Any] = OPTIONS

    def render(self, reply: Reply) -> tuple[Part, ...]:
        return render(reply)

    def preview(self, text: str) -> Part:
        return preview(text)

    def plainer(self, part: Part) -> Part | None:
        return plainer(part)

    async def open(self, toolkit: Toolkit) -> Connection:
        # The client library takes about a second to import: only where it is used, and off the loop.
        await asyncio.to_thread(load, "adapters.telegram.connection:open_connection")
        from adapters.telegram.connection import open_connection

        return await open_connection(toolkit)

    async def doctor(self, toolkit: Toolkit) -> Sequence[Check]:
        await asyncio.to_thread(load, "adapters.telegram.doctor:examine")
        from adapters.telegram.doctor import examine

        return await examine(toolkit)


ADAPTER: Adapter = TelegramAdapter()
