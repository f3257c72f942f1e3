"""Events: what a browser is told while it looks at a conversation (seat K22).

Changes are numbered and never lost: the browser says which it saw last, and gets all after it. Previews and
signs of life are not numbered. Who missed too much is told so and reads the history again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from aiohttp import web

from adapters.web import facts
from adapters.web.door import Door, Visitor
from adapters.web.live import Live, Viewer
from adapters.web.pages import Pages
from adapters.web.ports import Transcript
from bot.errors import StorageBusy
from bot.transcript import Message, Since


class Events:
    """Streams a conversation to viewers."""

    def __init__(self, transcript: Transcript, live: Live, pages: Pages, door: Door) -> None:
        self._transcript = transcript
        self._live = live
        self._pages = pages
        self._door = door

    async def stream(self, request: web.Request, visitor: Visitor, conversation: str) -> web.StreamResponse:
        """Send changes and previews for as long as the browser listens."""
        response = web.StreamResponse(
            headers={
                "Content-Type": "text/event-stream",
                "Cache-Control": "no-store",
                # https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
                "X-Accel-Buffering": "no",
            }
        )
        await response.prepare(request)
        if request.method == "HEAD":
            return response
        after = _number(request.headers.get("Last-Event-ID") or request.query.get("after", ""))
        with self._live.view(conversation, visitor.token_hash, after) as viewer:
            try:
                await response.write(b"retry: 1000\n\n")
                await self._follow(response, viewer)
            except (ConnectionResetError, StorageBusy):
                # The browser comes again by itself and says what it saw last.
                return response
        return response

    async def _follow(self, response: web.StreamResponse, viewer: Viewer) -> None:
        shown = 0
        first = True
        while not viewer.over:
            await self._send_changes(response, viewer, check_ahead=first)
            first = False
            for growing in self._live.growing(viewer.conversation, shown):
                shown = growing.version
                await response.write(event("preview", {"id": growing.message_id, "html": growing.html}))
            await viewer.wait()
            if viewer.take_beat():
                if await self._door.session(viewer.token_hash) is None:
                    return
                await response.write(event("beat", {}))

    async def _send_changes(self, response: web.StreamResponse, viewer: Viewer, *, check_ahead: bool) -> None:
        since = Since(conversation=viewer.conversation, change=viewer.after, limit=facts.MAX_MISSED + 1)
        changes = await self._transcript.changes_since(since)
        if len(changes) > facts.MAX_MISSED or (check_ahead and await self._is_ahead(viewer)):
            newest = await self._newest(viewer.conversation)
            viewer.after = newest
            await response.write(event("gap", {}, number=newest))
            return
        await self._send(response, viewer, changes)

    async def _send(self, response: web.StreamResponse, viewer: Viewer, changes: Sequence[Message]) -> None:
        for message in changes:
            viewer.after = message.change
            if message.removed or not message.body.get("working"):
                self._live.settle(message.id)
            await response.write(event("message", seen(self._pages, message), number=message.change))

    async def _is_ahead(self, viewer: Viewer) -> bool:
        """Say whether the browser saw what we do not know: the database was restored since."""
        return viewer.after > await self._newest(viewer.conversation)

    async def _newest(self, conversation: str) -> int:
        return (await self._transcript.newest_changes([conversation])).get(conversation, 0)


def seen(pages: Pages, message: Message) -> dict[str, Any]:
    """Return a message as the page's script takes it."""
    return {
        "id": message.id,
        "key": message.key,
        "change": message.change,
        "removed": message.removed,
        "html": "" if message.removed else pages.message(message),
    }


def event(name: str, values: dict[str, Any], *, number: int | None = None) -> bytes:
    """Return one event of the stream.

    https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
    """
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\n".encode() + b"data: " + orjson.dumps(values) + b"\n\n"


def _number(text: str) -> int:
    """Return the change that a browser says it saw; nothing sensible means none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 18 else 0
