"""Live: what an open page is told, as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from aiohttp import web

QUEUED = 1_000
"""Changes kept for a page that does not read; beyond them it is told to load everything again."""
BEAT_SECONDS = 15.0

_RELOAD = b'{"kind":"reload"}'


class Live:
    """All open pages."""

    def __init__(self) -> None:
        self._pages: set[asyncio.Queue[bytes | None]] = set()

    @property
    def watched(self) -> bool:
        """Whether it is worth describing a change."""
        return bool(self._pages)

    def tell(self, change: dict[str, Any]) -> None:
        """Send a change to every open page."""
        body = orjson.dumps(change)
        for page in self._pages:
            if page.qsize() >= QUEUED:
                while not page.empty():
                    page.get_nowait()
                page.put_nowait(_RELOAD)
            page.put_nowait(body)

    def end(self) -> None:
        """Close every stream."""
        for page in self._pages:
            page.put_nowait(None)

    async def stream(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one page until it goes away."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await response.prepare(request)
        with self._open() as page:
            try:
                await response.write(b"retry: 1000\n\n")
                await self._feed(response, page)
            except ConnectionResetError:
                return response
        return response

    async def _feed(self, response: web.StreamResponse, page: asyncio.Queue[bytes | None]) -> None:
        while True:
            try:
                body = await asyncio.wait_for(page.get(), BEAT_SECONDS)
            except TimeoutError:
                await response.write(b": still here\n\n")
                continue
            if body is None:
                return
            await response.write(b"data: " + body + b"\n\n")

    @contextmanager
    def _open(self) -> Iterator[asyncio.Queue[bytes | None]]:
        page: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._pages.add(page)
        try:
            yield page
        finally:
            self._pages.discard(page)
