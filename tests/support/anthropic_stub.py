"""A local server that speaks Anthropic's Messages API and refuses what Anthropic refuses.

https://docs.anthropic.com/en/api/messages
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import web

from tests.support.openai_stub import Scripted


def streams(*blocks: Mapping[str, Any], stop: str = "end_turn", counts: tuple[int, int] = (10, 2)) -> Scripted:
    """Return a streamed message of these content blocks."""
    return Scripted(pieces=[*map(_event, _events(blocks, stop, counts))])


def text(*words: str) -> dict[str, Any]:
    """Return a text block that comes in these pieces."""
    return {"type": "text", "pieces": words}


def tool_use(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    """Return a tool call whose arguments come in two pieces."""
    half = len(arguments) // 2
    return {"type": "tool_use", "id": call_id, "name": name, "pieces": (arguments[:half], arguments[half:])}


def refuses(status: int, kind: str, message: str, headers: Mapping[str, str] | None = None) -> Scripted:
    """Return an error as the service words it."""
    body = orjson.dumps({"type": "error", "error": {"type": kind, "message": message}})
    return Scripted(pieces=[body], status=status, headers=headers or {}, content_type="application/json")


def _event(data: Mapping[str, Any]) -> bytes:
    return f"event: {data['type']}\n".encode() + b"data: " + orjson.dumps(data) + b"\n\n"


def _events(blocks: Sequence[Mapping[str, Any]], stop: str, counts: tuple[int, int]) -> Iterable[dict[str, Any]]:
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
    }
    message |= {"stop_sequence": None, "usage": {"input_tokens": counts[0], "output_tokens": 1}}
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(blocks):
        is_text = block["type"] == "text"
        start = {"type": "text", "text": ""} if is_text else {**block, "input": {}}
        start.pop("pieces", None)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for piece in block["pieces"]:
            delta = {"type": "text_delta", "text": piece} if is_text else _arguments(piece)
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": counts[1]}}
    yield {"type": "message_stop"}


def _arguments(piece: str) -> dict[str, Any]:
    return {"type": "input_json_delta", "partial_json": piece}


@dataclass
class AnthropicStub:
    """The server; use it as a context."""

    answers: list[Scripted] = field(default_factory=list)
    key: str = "sk-ant-0123456789"
    bodies: list[dict[str, Any]] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""

    async def __aenter__(self) -> AnthropicStub:
        app = web.Application(client_max_size=64_000_000)
        app.router.add_post("/v1/messages", self._messages)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        body = orjson.loads(await request.read())
        self.bodies.append(body)
        if request.headers.get("x-api-key") != self.key:
            return await self._play(request, refuses(401, "authentication_error", "invalid x-api-key"))
        if "anthropic-version" not in request.headers:
            return await self._play(
                request, refuses(400, "invalid_request_error", "anthropic-version: header is required")
            )
        if (complaint := check_messages(body)) is not None:
            self.complaints.append(complaint)
            return await self._play(request, refuses(400, "invalid_request_error", complaint))
        return await self._play(request, self.answers.pop(0))

    async def _play(self, request: web.Request, answer: Scripted) -> web.StreamResponse:
        response = web.StreamResponse(status=answer.status, headers=dict(answer.headers))
        response.content_type = answer.content_type
        await response.prepare(request)
        for piece in answer.pieces:
            await response.write(piece)
        if answer.hangs:
            self.waiting.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.left.set()
        await response.write_eof()
        return response


def check_messages(body: Mapping[str, Any]) -> str | None:
    """Return why the service would refuse the request, None where it would not."""
    for complaint in _complaints(body):
        return complaint
    return None


def _complaints(body: Mapping[str, Any]) -> Iterable[str]:
    messages = body.get("messages") or []
    if not isinstance(body.get("max_tokens"), int):
        yield "max_tokens: Field required"
    if not messages:
        yield "messages: at least one message is required"
    yield from _check_roles([message["role"] for message in messages])
    turns = [_blocks(message["content"]) for message in messages]
    yield from _check_pairing(turns)
    for n, blocks in enumerate([_blocks(body.get("system", [{"type": "text", "text": "x"}])), *turns]):
        yield from _check_blocks(n, blocks)
    if not body.get("tools") and any(block["type"] == "tool_use" for blocks in turns for block in blocks):
        yield "Requests which include `tool_use` or `tool_result` blocks must define tools"
    for tool in body.get("tools", []):
        if tool.get("input_schema", {}).get("type") != "object":
            yield f"tools.{tool.get('name')}.input_schema.type: Field required"


def _check_roles(roles: Sequence[str]) -> Iterable[str]:
    for n, (before, role) in enumerate(itertools.pairwise(["assistant", *roles])):
        if role not in ("user", "assistant"):
            yield f"messages.{n}: unexpected role {role}"
        if role == before:
            yield f"messages.{n}: roles must alternate between 'user' and 'assistant'"


def _check_pairing(turns: Sequence[Sequence[Mapping[str, Any]]]) -> Iterable[str]:
    for blocks, after in itertools.pairwise([[], *turns, []]):
        called = [block["id"] for block in blocks if block["type"] == "tool_use"]
        answered = [block["tool_use_id"] for block in after if block["type"] == "tool_result"]
        if sorted(called) != sorted(answered):
            yield f"`tool_use` ids were found without `tool_result` blocks immediately after: {called}"


def _blocks(content: object) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content) if isinstance(content, list) else []


def _check_blocks(n: int, blocks: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    if not blocks:
        yield f"messages.{n}: all messages must have non-empty content"
    for block in blocks:
        if block["type"] == "text" and not block["text"].strip():
            yield f"messages.{n}: text content blocks must contain non-whitespace text"
        if block["type"] == "tool_use" and not re.fullmatch(r"[a-zA-Z0-9_-]+", block["id"]):
            yield f"messages.{n}: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
        if block["type"] not in ("text", "tool_use", "tool_result", "image"):
            yield f"messages.{n}: unexpected block {block['type']}"
