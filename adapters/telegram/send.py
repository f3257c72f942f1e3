"""Send: make the calls, and turn the platform's answers into our errors.

A topic that was deleted is a room that is gone: its answer is not shown in another topic, where it has other readers.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from telegram import InputFile
from telegram.error import ChatMigrated, TelegramError

from adapters.telegram import calls, texts
from adapters.telegram.api import Api
from adapters.telegram.errors import is_deleted, is_no_photo, is_unchanged, translate
from adapters.telegram.facts import MAX_DOCUMENT_BYTES, MAX_PHOTO_BYTES, NAME
from bot.errors import Refused, Unknown, Vanished
from bot.events import Room
from bot.replies import Part, PartKind

UPLOAD_ANSWER_SECONDS = 60.0
"""The platform answers an upload only when it has looked at the file."""

_UPLOAD = "upload"
_PLACEHOLDER = Part(body={"text": texts.PLACEHOLDER})

Moved = Callable[[Room, Room], Awaitable[None]]
"""Told that a room turned out to have a new address."""


class Sender:
    """Posts, fills and removes messages."""

    def __init__(self, api: Api, moved: Moved, *, link_previews: bool) -> None:
        self._api = api
        self._moved = moved
        self._link_previews = link_previews

    async def post(self, room: Room, part: Part | None, *, anchor: str) -> str:
        """Post a part, or the placeholder, and return the message's id."""
        try:
            return await self._post(room, part or _PLACEHOLDER, anchor)
        except ChatMigrated as error:
            room = await self._follow(room, error)
            anchor = ""  # It names a message of the old chat.
        except TelegramError as error:
            raise translate(error, repeatable=False) from error
        try:
            return await self._post(room, part or _PLACEHOLDER, anchor)
        except TelegramError as error:
            raise translate(error, repeatable=False) from error

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        """Make a message show a part."""
        try:
            await self._fill(calls.message(room, message_id), part)
        except ChatMigrated as error:
            await self._follow(room, error)
            # The old chat's message ids mean other messages in the new one.
            raise Vanished(NAME, "moved this group, and left the message behind") from error
        except TelegramError as error:
            if not is_unchanged(error):
                raise translate(error, repeatable=True) from error

    async def remove(self, room: Room, message_id: str) -> None:
        """Take a message back; one that is gone already is no error."""
        try:
            await self._api.call("deleteMessage", **calls.message(room, message_id))
        except TelegramError as error:
            if not is_deleted(error):
                raise translate(error, repeatable=True) from error

    async def _follow(self, room: Room, error: ChatMigrated) -> Room:
        to = replace(room, chat=str(error.new_chat_id), topic="")
        await self._moved(room, to)
        return to

    async def _post(self, room: Room, part: Part, anchor: str) -> str:
        where = calls.place(room) | calls.answering(anchor)
        if part.kind is PartKind.FILE:
            return _message_id(
                await self._as_fits(part.body, lambda kind, file: self._post_file(where, kind, file, part))
            )
        words = calls.text(part.body, link_previews=self._link_previews)
        return _message_id(await self._api.call("sendMessage", **where, **words))

    async def _post_file(self, where: calls.Parameters, kind: str, file: InputFile, part: Part) -> Any:
        parameters = {**where, **calls.caption(part.body), kind: file}
        method = "sendPhoto" if kind == "photo" else "sendDocument"
        return await self._api.call(method, answer_seconds=UPLOAD_ANSWER_SECONDS, **parameters)

    async def _fill(self, which: calls.Parameters, part: Part) -> None:
        if part.kind is PartKind.FILE:
            await self._as_fits(part.body, lambda kind, file: self._fill_file(which, kind, file, part))
            return
        words = calls.text(part.body, link_previews=self._link_previews)
        await self._api.call("editMessageText", **which, **words)

    async def _fill_file(self, which: calls.Parameters, kind: str, file: InputFile, part: Part) -> Any:
        parameters = {**which, "media": calls.media(part.body, kind, _UPLOAD), _UPLOAD: file}
        return await self._api.call("editMessageMedia", answer_seconds=UPLOAD_ANSWER_SECONDS, **parameters)

    async def _as_fits(self, body: calls.Parameters, send: Callable[[str, InputFile], Awaitable[Any]]) -> Any:
        """Send a picture as a photo where the platform takes it as one, everything else as a document."""
        path, name = Path(body["path"]), str(body["name"])
        size = await asyncio.to_thread(_size, path, name)
        if body["as"] == "photo" and size <= MAX_PHOTO_BYTES:
            try:
                async with _opened(path, name) as file:
                    return await send("photo", file)
            except TelegramError as error:
                if not is_no_photo(error):
                    raise
        async with _opened(path, name) as file:
            return await send("document", file)


@asynccontextmanager
async def _opened(path: Path, name: str) -> AsyncIterator[InputFile]:
    """Offer a file for upload without reading it into memory."""
    try:
        handle = await asyncio.to_thread(path.open, "rb")
    except OSError as error:
        raise _unreadable(name, error) from error
    try:
        yield InputFile(handle, filename=name, read_file_handle=False)
    finally:
        await asyncio.to_thread(handle.close)


def _size(path: Path, name: str) -> int:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise _unreadable(name, error) from error
    if size > MAX_DOCUMENT_BYTES:
        raise Refused(NAME, f"takes no file above {MAX_DOCUMENT_BYTES:,} bytes, and {name} has {size:,}")
    if size == 0:
        raise Refused(NAME, f"takes no empty file, and {name} is empty")
    return size


def _unreadable(name: str, error: OSError) -> Refused:
    return Refused(NAME, f"cannot be sent {name}: {error.strerror}")


def _message_id(result: Any) -> str:
    match result:
        case {"message_id": int(message_id)}:
            return str(message_id)
    raise Unknown(NAME, "took the message without telling its id")
