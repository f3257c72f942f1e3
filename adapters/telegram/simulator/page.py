"""Page: a chat client in the browser, and the addresses it and other programs use."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
from aiohttp import web

from adapters._shared.simulator.assets import Assets
from adapters._shared.simulator.bodies import TooLarge, Unreadable, read
from adapters._shared.simulator.guard import is_foreign
from adapters._shared.simulator.images import dimensions
from adapters.telegram.simulator import texts
from adapters.telegram.simulator.chats import Chats
from adapters.telegram.simulator.control import Control, Misunderstood
from adapters.telegram.simulator.faults import Faults
from adapters.telegram.simulator.limits import UPLOAD_BYTES
from adapters.telegram.simulator.membership import Membership
from adapters.telegram.simulator.refusals import Refusal
from adapters.telegram.simulator.state import State
from adapters.telegram.simulator.view import chat_view, overview

_STATIC = Path(__file__).parent / "static"
CALLS_SHOWN = 200


class Page:
    """Answers everything that is no call of a bot."""

    def __init__(self, state: State, chats: Chats, membership: Membership, faults: Faults) -> None:
        self._state = state
        self._chats = chats
        self._control = Control(state, chats, membership, faults)
        self._assets = Assets(_STATIC)

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a page's request; others' pages get nothing."""
        if is_foreign(request):
            return _told(403, texts.FOREIGN)
        if request.method == "POST" and request.path.startswith("/sim/"):
            return await self._do(request)
        if request.method not in ("GET", "HEAD"):
            return _told(404, texts.NOT_FOUND)
        if request.path == "/sim/events":
            return await self._state.live.stream(request)
        return self._look(request)

    async def _do(self, request: web.BaseRequest) -> web.Response:
        # A form of another page could be posted here without the browser asking first; these types cannot.
        if request.content_type == "multipart/form-data" and request.headers.get("X-Simulator") is None:
            return _told(403, texts.FOREIGN)
        if request.content_type not in ("application/json", "multipart/form-data"):
            return _told(415, texts.NOT_JSON)
        try:
            body = await read(request, max_bytes=2 * UPLOAD_BYTES)
            return _json(self._control.do(request.path.removeprefix("/sim/"), body))
        except TooLarge:
            return _told(413, texts.TOO_LARGE)
        except Unreadable:
            return _told(400, texts.NOT_JSON)
        except Misunderstood as error:
            return _told(400, str(error))
        except LookupError as error:
            return _told(404, str(error.args[0]))
        except Refusal as refusal:
            return _told(400, refusal.description)

    def _look(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        if path == "/sim/state":
            return _json(overview(self._state, self._chats))
        if path == "/sim/chat":
            return self._chat(request.query.get("key", ""))
        if path == "/sim/calls":
            return _json([asdict(call) for call in self._state.calls.all[-CALLS_SHOWN:]])
        if path.startswith("/sim/file/"):
            return self._file(path.removeprefix("/sim/file/"))
        name = "index.html" if path == "/" else path.removeprefix("/static/")
        return self._assets.answer(name) or _told(404, texts.NOT_FOUND)

    def _chat(self, key: str) -> web.Response:
        chat = self._chats.by_key(key)
        return _told(404, texts.NO_SUCH_CHAT) if chat is None else _json(chat_view(self._state, chat))

    def _file(self, file_id: str) -> web.Response:
        file = self._state.files.by_id(file_id)
        if file is None:
            return _told(404, texts.NOT_FOUND)
        headers = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}
        if self._state.files.known_photo(file_id) is not None and dimensions(file.data) is not None:
            return web.Response(body=file.data, content_type=_image_type(file.data), headers=headers)
        headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(file.name)}"
        return web.Response(body=file.data, content_type="application/octet-stream", headers=headers)


def _image_type(data: bytes) -> str:
    if data.startswith(b"\x89PNG"):
        return "image/png"
    if data.startswith(b"GIF8"):
        return "image/gif"
    return "image/webp" if data.startswith(b"RIFF") else "image/jpeg"


def _json(value: Any) -> web.Response:
    return web.Response(
        body=orjson.dumps(value), content_type="application/json", headers={"Cache-Control": "no-store"}
    )


def _told(status: int, sentence: str) -> web.Response:
    return web.Response(body=orjson.dumps({"error": sentence}), status=status, content_type="application/json")
