"""The web chat: a page of our own, as a platform like the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.web import facts
from adapters.web.render import preview, render
from bot.adapter import Adapter, Capabilities, Check, Connection, Toolkit
from bot.replies import Part, Reply


class WebAdapter:
    """Shows replies on a page that we serve ourselves."""

    name = facts.NAME
    capabilities: Capabilities = facts.CAPABILITIES
    environment: Mapping[str, str] = {}
    options: Mapping[str, Any] = facts.OPTIONS

    def render(self, reply: Reply) -> tuple[Part, ...]:
        return render(reply)

    def preview(self, text: str) -> Part:
        return preview(text)

    def plainer(self, part: Part) -> Part | None:
        # The page refuses nothing for its formatting.
        return None

    async def open(self, toolkit: Toolkit) -> Connection:
        # Templates and the web server are imported only where the page is served.
        from adapters.web.connection import open_connection

        return await open_connection(toolkit)

    async def doctor(self, toolkit: Toolkit) -> Sequence[Check]:
        from adapters.web.doctor import examine

        return examine(toolkit)


ADAPTER: Adapter = WebAdapter()
