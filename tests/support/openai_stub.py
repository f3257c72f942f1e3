"""A local server that speaks OpenAI's API and refuses what OpenAI refuses.

It answers from a script; a request that breaks a rule gets a 400 and is kept in `complaints`. The rules come from
https://platform.openai.com/docs/api-reference/chat/create and from what the service answers to bad requests.
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

DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """One answer of the stub."""

    pieces: Sequence[bytes] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream"
    hangs: bool = False
    """Stay silent after the pieces until the client leaves."""
    breaks_off: bool = False
    """Cut the connection after the pieces."""


def event(data: object) -> bytes:
    """Return one server-sent event."""
    return b"data: " + orjson.dumps(data) + b"\n\n"


def chunk(delta: Mapping[str, Any] | None = None, *, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    """Return a chunk as the service sends it."""
    choice = {"index": 0, "delta": dict(delta or {}), "finish_reason": finish}
    base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return base | fields


def usage(tokens_in: int, tokens_out: int, cached: int = 0) -> dict[str, Any]:
    """Return the last chunk of a stream that was asked for usage."""
    counts = {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    return chunk(choices=[], usage=counts)


def streams(*events: object, done: bool = True, size: int = 0, **options: Any) -> Scripted:
    """Return a streamed answer of these events; `size` cuts its bytes anew, wherever that falls."""
    body = b"".join(map(event, events)) + (DONE if done else b"")
    pieces = [body[i : i + size] for i in range(0, len(body), size)] if size else [body]
    return Scripted(pieces=pieces, **options)


def says(*words: str, finish: str = "stop", counts: tuple[int, int] = (10, 2)) -> Scripted:
    """Return a streamed answer of these words."""
    return streams(*(chunk({"content": word}) for word in words), chunk(finish=finish), usage(*counts))


def calls(*entries: Mapping[str, Any]) -> Scripted:
    """Return a streamed answer of these `tool_calls` entries, one a chunk."""
    return streams(
        *(chunk({"tool_calls": [dict(entry)]}) for entry in entries), chunk(finish="tool_calls"), usage(1, 1)
    )


def refuses(status: int, message: str, *, code: str | None = None, kind: str = "", headers: Any = None) -> Scripted:
    """Return an error as the service words it."""
    body = orjson.dumps({"error": {"message": message, "type": kind or "error", "param": None, "code": code}})
    return Scripted(pieces=[body], status=status, headers=headers or {}, content_type="application/json")


def whole(data: object) -> Scripted:
    """Return an answer that is not streamed."""
    return Scripted(pieces=[orjson.dumps(data)], content_type="application/json")


class OpenAIStub:
    """The server; use it as a context."""

    def __init__(self, *answers: Scripted, key: str = "sk-test-0123456789", alternates: bool = False) -> None:
        self.answers = list(answers)
        self.key = key
        self.alternates = alternates
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.complaints: list[str] = []
        self.peers: list[Any] = []
        self.waiting = asyncio.Event()
        self.left = asyncio.Event()
        self.url = ""

    async def __aenter__(self) -> OpenAIStub:
        app = web.Application(client_max_size=64_000_000)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/responses", self._responses)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    def connections(self) -> list[asyncio.BaseTransport]:
        """Return the connections that clients hold."""
        server = self._runner.server
        found = [connection.transport for connection in (server.connections if server else ())]
        return [transport for transport in found if transport is not None]

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, check_chat)

    async def _responses(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, check_responses)

    async def _answer(self, request: web.Request, check: Any) -> web.StreamResponse:
        body = orjson.loads(await request.read())
        self.bodies.append(body)
        self.headers.append(request.headers)
        self.peers.append(request.transport and request.transport.get_extra_info("peername"))
        complaint = check(body)
        if complaint is None and self.alternates:
            complaint = check_alternation(body["messages"])
        if complaint is not None:
            self.complaints.append(complaint)
            return await self._play(request, refuses(400, complaint, kind="invalid_request_error"))
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            words = f"Incorrect API key provided: {request.headers.get('Authorization', '')[7:]}."
            return await self._play(request, refuses(401, words, code="invalid_api_key"))
        if not self.answers:
            return await self._play(request, refuses(500, "the stub's script is at its end"))
        return await self._play(request, self.answers.pop(0))

    async def _play(self, request: web.Request, answer: Scripted) -> web.StreamResponse:
        response = web.StreamResponse(status=answer.status, headers=dict(answer.headers))
        response.content_type = answer.content_type
        await response.prepare(request)
        for piece in answer.pieces:
            await response.write(piece)
            await asyncio.sleep(0)
        if answer.hangs:
            await self._hang()
        if answer.breaks_off and request.transport is not None:
            request.transport.close()
            return response
        await response.write_eof()
        return response

    async def _hang(self) -> None:
        self.waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.left.set()


# --- what the service refuses ------------------------------------------------------------------------------

_CHAT_FIELDS = frozenset(
    [
        "model",
        "messages",
        "stream",
        "stream_options",
        "tools",
        "tool_choice",
        "temperature",
        "top_p",
        "max_tokens",
        "max_completion_tokens",
        "reasoning_effort",
        "seed",
        "stop",
        "thinking",
        "chat_template_kwargs",
    ]
)
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def check_chat(body: Mapping[str, Any]) -> str | None:
    """Return why the service would refuse the request, None where it would not."""
    for complaint in (
        *_check_fields(body, _CHAT_FIELDS, "messages"),
        *(complaint for message in body.get("messages", []) for complaint in _check_message(message)),
        *_check_pairing(body.get("messages", [])),
        *(complaint for tool in body.get("tools", []) for complaint in _check_tool(tool.get("function", {}))),
    ):
        return complaint
    return None


def check_alternation(messages: Sequence[Mapping[str, Any]]) -> str | None:
    """Return why a strict chat template would refuse the roles."""
    roles = [message["role"] for message in messages if message["role"] != "system"]
    if not roles or roles[0] != "user":
        return "Conversation must begin with a user message"
    for before, role in itertools.pairwise(roles):
        if before == role and role != "tool":
            return "Conversation roles must alternate user/assistant/user/assistant/..."
    return None


def _check_fields(body: Mapping[str, Any], known: frozenset[str], turns: str) -> Iterable[str]:
    for name in body:
        if name not in known:
            yield f"Unknown parameter: '{name}'."
    if not isinstance(body.get("model"), str) or not body["model"]:
        yield "you must provide a model parameter"
    if not body.get(turns):
        yield f"Invalid '{turns}': empty array."
    if "stream_options" in body and not body.get("stream"):
        yield "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    if not 0 <= body.get("temperature", 1) <= 2:
        yield "Invalid 'temperature'."
    for name in ("max_tokens", "max_completion_tokens", "max_output_tokens"):
        if name in body and (not isinstance(body[name], int) or body[name] < 1):
            yield f"Invalid '{name}'."
    if body.get("tools") == []:
        yield "Invalid 'tools': empty array."


def _check_message(message: Mapping[str, Any]) -> Iterable[str]:
    role = message.get("role")
    if role not in ("system", "user", "assistant", "tool"):
        yield f"Invalid value: '{role}'."
    if "name" in message and not _NAME.fullmatch(str(message["name"])):
        yield "Invalid 'messages.name': string does not match pattern '^[a-zA-Z0-9_-]+$'."
    content = message.get("content")
    if isinstance(content, list):
        yield from _check_blocks(role, content)
    elif content is None and not (role == "assistant" and message.get("tool_calls")):
        yield "Invalid value for 'content': expected a string, got null."
    elif content is not None and not str(content).strip():
        yield "messages: text content blocks must be non-empty"
    if message.get("tool_calls") == []:
        yield "Invalid 'messages.tool_calls': empty array."
    for call in message.get("tool_calls", ()):
        yield from _check_call(call)


def _check_blocks(role: object, blocks: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    if not blocks:
        yield "Invalid 'content': empty array."
    for block in blocks:
        if block.get("type") == "text":
            if not block.get("text", "").strip():
                yield "messages: text content blocks must be non-empty"
        elif block.get("type") != "image_url" or role != "user":
            yield f"Invalid content block '{block.get('type')}' for role '{role}'."
        elif not re.match(r"data:image/[a-z+]+;base64,|https?://", block["image_url"]["url"]):
            yield "Invalid 'image_url'."


def _check_call(call: Mapping[str, Any]) -> Iterable[str]:
    if call.get("type") != "function":
        yield "Missing required parameter: 'tool_calls.type'."
    if not isinstance(call.get("id"), str) or not 1 <= len(call["id"]) <= 40:
        yield "Invalid 'tool_calls.id': string of 1 to 40 characters expected."
    function = call.get("function", {})
    if not _NAME.fullmatch(function.get("name", "")):
        yield "Invalid 'tool_calls.function.name'."
    if not isinstance(function.get("arguments"), str):
        yield "Invalid type for 'tool_calls.function.arguments'."


def _check_pairing(messages: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    waiting: list[str] = []
    for message in messages:
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in waiting:
                yield "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            break
        waiting = [call.get("id") for call in message.get("tool_calls", ())]
        if len(set(waiting)) < len(waiting):
            yield "Duplicate value for 'tool_call_id'."
    if waiting:
        yield f"tool_call_ids did not have response messages: {', '.join(map(str, waiting))}"


def _check_tool(function: Mapping[str, Any]) -> Iterable[str]:
    name = function.get("name", "")
    if not _NAME.fullmatch(name):
        yield "Invalid 'tools.function.name'."
    schema = function.get("parameters", {})
    if schema.get("type") != "object":
        yield f"Invalid schema for function '{name}': schema must be of type 'object'."
    if "properties" not in schema:
        yield f"Invalid schema for function '{name}': object schema missing properties."


_RESPONSES_FIELDS = frozenset(
    ["model", "input", "stream", "store", "tools", "temperature", "max_output_tokens", "reasoning"]
)


def check_responses(body: Mapping[str, Any]) -> str | None:
    """Return why the Responses API would refuse the request."""
    for complaint in (
        *_check_fields(body, _RESPONSES_FIELDS, "input"),
        *_check_items(body.get("input", [])),
        *(complaint for tool in body.get("tools", []) for complaint in _check_tool(tool)),
    ):
        return complaint
    return None


def _check_items(items: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    called = set()
    for item in items:
        kind = item.get("type", "message")
        if kind == "function_call":
            called.add(item["call_id"])
            if not isinstance(item.get("arguments"), str):
                yield "Invalid type for 'input.arguments'."
        elif kind == "function_call_output":
            if item["call_id"] not in called:
                yield f"No tool call found for function call output with call_id {item['call_id']}."
        elif item.get("role") not in ("system", "user", "assistant") or not item.get("content"):
            yield "Invalid value: 'input'."
