"""A small HTTP/1.1 server on asyncio: little CPU, so that what is measured is the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

HEADER_END = b"\r\n\r\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One request."""

    path: str
    form: bool
    body: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What goes back; `stream` is sent in pieces, as a model's stream is."""

    body: bytes = b""
    stream: tuple[bytes, ...] = ()


Reply = Callable[[Answer], None]
"""Answers a call, now or later."""

Handler = Callable[[Call, Reply], None]


class Wire(asyncio.Protocol):
    """One connection; requests on it come one after the other."""

    def __init__(self, handle: Handler) -> None:
        self._handle = handle
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # The fast loop's transports are of no class of the standard library.
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (call := self._next()) is not None:
            self._handle(call, self._reply)

    def _next(self) -> Call | None:
        end = self._buffer.find(HEADER_END)
        if end < 0:
            return None
        lines = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        start, length = end + len(HEADER_END), int(headers.get("content-length", "0"))
        if len(self._buffer) < start + length:
            return None
        body = bytes(self._buffer[start : start + length])
        del self._buffer[: start + length]
        form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        return Call(path=lines[0].split(" ")[1].partition("?")[0], form=form, body=body)

    def _reply(self, answer: Answer) -> None:
        if self._transport is None:
            return
        if not answer.stream:
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(answer.body)}\r\n\r\n"
            self._transport.write(head.encode() + answer.body)
            return
        self._transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        for piece in answer.stream:
            self._transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        self._transport.write(b"0\r\n\r\n")


async def serve(handle: Handler) -> tuple[asyncio.Server, int]:
    """Listen on a free port of the loopback interface."""
    server = await asyncio.get_running_loop().create_server(lambda: Wire(handle), "127.0.0.1", 0)
    return server, server.sockets[0].getsockname()[1]
