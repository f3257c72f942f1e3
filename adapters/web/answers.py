"""Answers to the browser: pages, fragments, refusals."""

from __future__ import annotations

from typing import Any

import orjson
from aiohttp import web

from adapters.web.pages import PAGE_CSP


def page(html: str, *, status: int = 200) -> web.Response:
    """Return a page; nobody keeps a copy of it."""
    return web.Response(
        status=status,
        text=html,
        content_type="text/html",
        headers={"Content-Security-Policy": PAGE_CSP, "Cache-Control": "no-store"},
    )


def values(body: dict[str, Any], *, status: int = 200) -> web.Response:
    """Return values for the page's script."""
    return web.Response(
        status=status,
        body=orjson.dumps(body),
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def refusal(sentence: str, *, status: int = 400) -> web.Response:
    """Return a sentence for the person, which the page's script shows."""
    return values({"error": sentence}, status=status)
