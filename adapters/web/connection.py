"""Connection: the page, open for visitors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aiohttp import web

from adapters._shared.server import WebServer
from adapters.web import facts
from adapters.web.chat import Chat
from adapters.web.door import Door, Visitor
from adapters.web.events import Events
from adapters.web.exchange import Exchange
from adapters.web.files import FileStore
from adapters.web.guard import Guard
from adapters.web.listen import Listener
from adapters.web.live import Live
from adapters.web.pages import Pages
from adapters.web.send import Sender
from adapters.web.sign_in import SignIn
from bot.adapter import Connection, Deliver, Toolkit
from bot.errors import StartError
from bot.events import Attachment, Room
from bot.replies import Part


class WebConnection:
    """The page as a platform: what visitors say comes in, what the bot says is shown."""

    account = ""

    def __init__(self, *, listener: Listener, sender: Sender, files: FileStore, live: Live) -> None:
        self._listener = listener
        self._sender = sender
        self._files = files
        self._live = live

    @property
    def listens_alone(self) -> bool:
        return False

    async def listen(self, deliver: Deliver) -> None:
        await self._listener.run(deliver)

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        return await self._sender.post(room, part, key)

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        await self._sender.fill(room, message_id, part)

    async def remove(self, room: Room, message_id: str) -> None:
        await self._sender.remove(room, message_id)

    async def find(self, room: Room, *, key: str) -> str | None:
        return await self._sender.find(room, key)

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        await self._files.hand_out(attachment, into, limit=limit)

    async def close(self) -> None:
        self._live.close()


async def open_connection(toolkit: Toolkit) -> Connection:
    """Put the page's addresses on the web server, and return the way in and out.

    Takes the ports `web` (the `WebServer`), `pages` (`ports.Pages`) and `admission` (`ports.Admission`).
    """
    server, store, admission = (_port(toolkit, name) for name in ("web", "pages", "admission"))
    upload_bytes = int(toolkit.options.get("upload_bytes", facts.MAX_UPLOAD_BYTES))
    guard = Guard(host=server.host, public_url=str(toolkit.options.get("public_url", "")))
    pages = Pages(toolkit.commands, upload_bytes)
    live = Live()
    files = FileStore(toolkit.home / facts.NAME / "files", store, toolkit.clock)
    door = Door(guard, store, admission, toolkit.clock)
    listener = Listener(store, files, live, toolkit.clock)
    sign_in = SignIn(door, pages, store, admission, toolkit.clock)
    events = Events(store, live, pages, door)
    chat = Chat(transcript=store, files=store, listener=listener, events=events, pages=pages, clock=toolkit.clock)
    _add_entrance(server, door, sign_in, chat, live)
    _add_chat(server, door, chat)
    _add_files(server, door, Exchange(store, files, upload_bytes), upload_bytes)
    _add_static(server, door, pages)
    sender = Sender(store, files, live, toolkit.clock)
    return WebConnection(listener=listener, sender=sender, files=files, live=live)


def _add_entrance(server: WebServer, door: Door, sign_in: SignIn, chat: Chat, live: Live) -> None:
    async def start(request: web.Request) -> web.StreamResponse:
        visitor = await door.visitor(request)
        code = request.query.get("code", "")
        if visitor is not None:
            if code:
                raise web.HTTPSeeOther("/")
            return await chat.new(request, visitor)
        # HEAD is how programs look at links; they shall not use the code up.
        return await sign_in.by_link(request, code) if code and request.method == "GET" else sign_in.form(request)

    async def leave(request: web.Request, visitor: Visitor) -> web.StreamResponse:
        return await sign_in.sign_out(request, visitor, live)

    server.add_get("/", door.open(start))
    server.add_post("/sign-in", door.open(sign_in.by_form), max_bytes=16_384)
    server.add_post("/sign-out", door.act(leave))


def _add_chat(server: WebServer, door: Door, chat: Chat) -> None:
    server.add_get("/chat/conversations", door.page(chat.conversations))
    server.add_get("/chat/{conversation}", door.page(chat.show))
    server.add_get("/chat/{conversation}/history", door.page(chat.history))
    server.add_get("/chat/{conversation}/events", door.page(chat.events))
    server.add_post("/chat/{conversation}/messages", door.act(chat.say), max_bytes=6 * facts.MAX_TEXT + 65_536)
    server.add_post("/chat/{conversation}/presses", door.act(chat.press))
    server.add_post("/chat/{conversation}/stop", door.act(chat.stop))


def _add_files(server: WebServer, door: Door, exchange: Exchange, upload_bytes: int) -> None:
    server.add_post("/chat/files", door.act(exchange.upload), max_bytes=upload_bytes)
    server.add_get("/chat/files/{file}/{name}", door.page(exchange.download))


def _add_static(server: WebServer, door: Door, pages: Pages) -> None:
    async def static(request: web.Request) -> web.StreamResponse:
        file = pages.static(request.match_info["name"])
        if file is None:
            raise web.HTTPNotFound
        fresh = request.match_info["version"] == pages.version
        return web.Response(
            body=file.content,
            content_type=file.media_type,
            charset="utf-8",
            headers={"Cache-Control": "public, max-age=31536000, immutable" if fresh else "no-cache"},
        )

    server.add_get("/static/chat/{version}/{name}", door.open(static))


def _port(toolkit: Toolkit, name: str) -> Any:
    if name not in toolkit.ports:
        raise StartError(f"the page needs the port {name!r}, which assembly did not hand it")
    return toolkit.ports[name]
