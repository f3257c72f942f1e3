"""Wire: HTTP in, a method called, JSON out. https://core.telegram.org/bots/api#making-requests"""

from __future__ import annotations

import inspect
import re
from typing import Any

import orjson
from aiohttp import web

from adapters._shared.simulator.bodies import Body, TooLarge, Unreadable, read
from adapters._shared.simulator.calls import RecordedCall
from adapters._shared.simulator.faults import Fault, FaultKind
from adapters._shared.simulator.server import abort
from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.faults import Faults
from adapters.telegram.simulator.limits import UPLOAD_BYTES
from adapters.telegram.simulator.methods import METHODS, Method
from adapters.telegram.simulator.params import Params, decoded
from adapters.telegram.simulator.refusals import Refusal, bad, too_large, unauthorized, unknown_method
from adapters.telegram.simulator.service import Raw, Service
from adapters.telegram.simulator.updates import Disconnected

_CALL = re.compile(r"/bot(\d+):([^/]+)/(?:test/)?(\w+)/?")
_FILE = re.compile(r"/file/bot(\d+):([^/]+)/(.+)")

BODY_BYTES = UPLOAD_BYTES + 1_048_576
"""The largest file with the fields beside it; the file itself is checked with its method."""


class Wire:
    """Answers calls of bots."""

    def __init__(self, service: Service, faults: Faults) -> None:
        self._service = service
        self._faults = faults

    async def call(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer `/bot<token>/<method>`."""
        match = _CALL.fullmatch(request.path)
        if match is None:
            return _refused(unauthorized() if request.path.count("/") == 2 else Refusal(404, "Not Found"))
        bot = self._service.state.bot(int(match[1]))
        method = METHODS.get(match[3].lower())
        try:
            body = await read(request, max_bytes=BODY_BYTES)
        except TooLarge:
            return _refused(too_large())
        except Unreadable:
            return _refused(bad("can't parse the request's body"))
        call = self._record(bot, method.name if method else match[3], body)
        try:
            return await self._answer(request, bot, method, body, call)
        finally:
            self._service.state.calls.answered()

    def _record(self, bot: Bot, name: str, body: Body) -> RecordedCall:
        call = RecordedCall(
            method=name,
            params=decoded(body.fields),
            account=str(bot.id),
            at=self._service.state.clock.monotonic(),
            chat=str(body.fields.get("chat_id", "")),
            uploads=tuple(upload.name for upload in body.uploads.values()),
        )
        self._service.state.calls.add(call)
        return call

    async def _answer(
        self, request: web.BaseRequest, bot: Bot, method: Method | None, body: Body, call: RecordedCall
    ) -> web.StreamResponse:
        lost = False
        for fault in self._faults.plan.strike(call):
            call.fault = fault.kind
            if fault.kind is FaultKind.DELAY:
                await self._service.state.clock.sleep(fault.seconds)
            elif fault.kind is FaultKind.LOSE:
                lost = True
            elif fault.kind is FaultKind.DROP:
                return abort(request)
            else:
                return _as_told(fault, call)
        try:
            answer = await self._perform(bot, method, body, call)
        except Refusal as refusal:
            call.status, call.error = refusal.code, refusal.description
            answer = _refused(refusal)
        except Disconnected:
            return abort(request)
        if lost:
            call.status = 0
            return abort(request)
        return answer

    async def _perform(self, bot: Bot, method: Method | None, body: Body, call: RecordedCall) -> web.Response:
        if method is None:
            raise unknown_method()
        for name in body.fields.keys() - method.parameters:
            call.problems.append(f"unknown parameter {name}")
        result: Any = method.handler(self._service, bot, Params(body, call.problems))
        if inspect.isawaitable(result):
            result = await result
        call.status = 200
        if isinstance(result, Raw):
            call.result = result.result
            return _json(result.body)
        call.result = result
        return _json(b'{"ok":true,"result":' + orjson.dumps(result) + b"}")

    def file(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer `/file/bot<token>/<file_path>`: https://core.telegram.org/bots/api#file"""
        match = _FILE.fullmatch(request.path)
        file = self._service.state.files.by_path(match[3]) if match else None
        if file is None:
            return _refused(Refusal(404, "Not Found"))
        return web.Response(body=file.data, content_type="application/octet-stream")


def _json(body: bytes, status: int = 200) -> web.Response:
    return web.Response(body=body, status=status, content_type="application/json")


def _refused(refusal: Refusal) -> web.Response:
    return _json(orjson.dumps(refusal.body), refusal.code)


def _as_told(fault: Fault, call: RecordedCall) -> web.Response:
    call.status = fault.status
    if isinstance(fault.body, str):
        call.error = fault.body
        return web.Response(text=fault.body, status=fault.status, content_type="text/html")
    call.error = str(fault.body.get("description", ""))
    return _json(orjson.dumps(fault.body), fault.status)
