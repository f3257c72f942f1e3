"""Webhook: the platform calls us; it is told 200 only after the commit, else it calls again."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from typing import Protocol

import orjson
import structlog
from aiohttp import web

from adapters.telegram.inlet import Inlet
from bot.adapter import Deliver
from bot.errors import StorageBusy

log = structlog.get_logger("telegram")

PATH = "/webhooks/telegram"
MAX_BODY_BYTES = 1_048_576
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"


class Web(Protocol):
    """The port `web`: the server that we share."""

    def add_post(self, path: str, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> None: ...


class Webhook:
    """The handler of one account."""

    def __init__(self, inlet: Inlet, secret: str) -> None:
        self._inlet = inlet
        self._secret = secret.encode()
        self._deliver: Deliver | None = None

    async def run(self, deliver: Deliver) -> None:
        """Receive until cancelled."""
        self._deliver = deliver
        try:
            await asyncio.Event().wait()
        finally:
            self._deliver = None

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one call of the platform."""
        given = request.headers.get(SECRET_HEADER, "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, self._secret):
            log.warning("webhook_refused", because="the secret is wrong or missing")
            raise web.HTTPUnauthorized
        if self._deliver is None:
            return _later()
        body = await request.clone(client_max_size=MAX_BODY_BYTES).read()
        try:
            update = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise web.HTTPBadRequest from error
        try:
            await self._inlet.take([update], self._deliver)
        except StorageBusy as error:
            log.warning("updates_not_stored", because=str(error))
            return _later()
        return web.Response()


def address(url: str) -> str:
    """Return where the platform shall call, from our public address."""
    root = url.rstrip("/")
    return root if root.endswith(PATH) else root + PATH


def _later() -> web.Response:
    return web.Response(status=503, headers={"Retry-After": "2"})
