"""A Bot API that says what a test tells it to say; for answers that a well-behaved platform gives rarely."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

TOKEN = "4242:AAsecretsecretsecretsecretsecretsec"
ME = {
    "id": 4242,
    "is_bot": True,
    "first_name": "Ops",
    "username": "OpsBot",
    "can_join_groups": True,
    "can_read_all_group_messages": False,
    "supports_inline_queries": False,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One call as it arrived."""

    method: str
    parameters: dict[str, Any]
    """JSON values are read."""
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """By field: name and bytes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Say:
    """An answer that a test wants given."""

    status: int = 200
    body: Any = None
    hang_up: bool = False
    """Close the connection once the call was read."""
    silent: bool = False
    """Never answer."""


def refusal(status: int, description: str, **parameters: Any) -> Say:
    body: dict[str, Any] = {"ok": False, "error_code": status, "description": description}
    return Say(status=status, body=body | ({"parameters": parameters} if parameters else {}))


def result(value: Any) -> Say:
    return Say(body={"ok": True, "result": value})


class BotApi:
    """What the server knows, and what it shall say."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.updates: list[dict[str, Any]] = []
        self.polls: list[int | None] = []
        """The offset of each poll."""
        self.file_bytes = b""
        self.url = ""
        self._planned: dict[str, deque[Say]] = {}
        self._changed = asyncio.Condition()
        self._message_id = 100

    def plan(self, method: str, *says: Say) -> None:
        """Give these answers to the next calls of a method."""
        self._planned.setdefault(method, deque()).extend(says)

    def made(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    async def wait_for(self, holds: Callable[[], bool]) -> None:
        """Return once a condition over the calls holds."""
        async with asyncio.timeout(10), self._changed:
            await self._changed.wait_for(holds)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        call = await _read(request)
        self.calls.append(call)
        async with self._changed:
            self._changed.notify_all()
        planned = self._planned.get(call.method)
        if planned:
            return await self._say(planned.popleft(), request)
        if call.method == "getUpdates":
            return await self._poll(call)
        return await self._say(result(self._default(call)), request)

    def _default(self, call: Call) -> Any:
        if call.method == "getMe":
            return ME
        if call.method == "getMyCommands":
            return []
        if call.method == "getWebhookInfo":
            return {"url": "", "has_custom_certificate": False, "pending_update_count": 0}
        if call.method == "getFile":
            return {
                "file_id": "F",
                "file_unique_id": "u",
                "file_size": len(self.file_bytes),
                "file_path": "docs/f 1.pdf",
            }
        if call.method in ("sendMessage", "sendPhoto", "sendDocument"):
            self._message_id += 1
            return {"message_id": self._message_id, "date": 1, "chat": {"id": 1, "type": "private"}}
        return True

    async def _poll(self, call: Call) -> web.StreamResponse:
        offset = call.parameters.get("offset")
        self.polls.append(offset)
        ready = [update for update in self.updates if update.get("update_id", 0) >= (offset or 0)]
        if not ready:
            await asyncio.Event().wait()
        return web.json_response({"ok": True, "result": ready})

    async def _say(self, say: Say, request: web.Request) -> web.StreamResponse:
        if say.silent:
            await asyncio.Event().wait()
        if say.hang_up:
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        if isinstance(say.body, bytes):
            return web.Response(status=say.status, body=say.body)
        return web.json_response(say.body, status=say.status)

    async def hand_over(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["path"] != "docs/f 1.pdf":
            raise web.HTTPNotFound
        return web.Response(body=self.file_bytes)


@asynccontextmanager
async def a_bot_api() -> AsyncIterator[BotApi]:
    """Serve on a local port."""
    api = BotApi()
    app = web.Application(client_max_size=60_000_000)
    app.router.add_post(f"/bot{TOKEN}/{{method}}", api.answer)
    app.router.add_get(f"/file/bot{TOKEN}/{{path:.*}}", api.hand_over)
    server = TestServer(app)
    # Its access log would show the token, and a test looks for that.
    await server.start_server(shutdown_timeout=0.05, access_log=None)
    api.url = str(server.make_url("")).rstrip("/")
    try:
        yield api
    finally:
        await server.close()


async def _read(request: web.Request) -> Call:
    parameters: dict[str, Any] = {}
    files: dict[str, tuple[str, bytes]] = {}
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            files[name] = (value.filename, value.file.read())
        else:
            parameters[name] = _value(name, str(value))
    return Call(method=request.match_info["method"], parameters=parameters, files=files)


def _value(name: str, value: str) -> Any:
    if name in ("text", "caption", "url", "secret_token", "file_id", "callback_query_id"):
        return value
    return json.loads(value)
