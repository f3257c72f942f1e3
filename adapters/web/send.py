"""Send: write the bot's messages into the transcript and show them to whoever looks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adapters.web import facts
from adapters.web.files import FileStore
from adapters.web.live import Live
from adapters.web.ports import Transcript
from adapters.web.render import WORKING, is_preview
from bot.clock import Clock
from bot.errors import Gone, StorageBusy, Unreachable, Vanished
from bot.events import Room
from bot.replies import OutFile, Part, PartKind
from bot.transcript import Filling, StoredFile, Writing


class Sender:
    """The way out."""

    def __init__(self, transcript: Transcript, files: FileStore, live: Live, clock: Clock) -> None:
        self._transcript = transcript
        self._files = files
        self._live = live
        self._clock = clock

    async def post(self, room: Room, part: Part | None, key: str) -> str:
        """Write a message or a placeholder, once a key, and return its id."""
        growing = part is not None and is_preview(part)
        placeholder = part is None or growing
        with _storage():
            body, files = (WORKING, ()) if part is None or growing else await self._stored(room, part, key)
            message = await self._transcript.post(
                Writing(
                    conversation=room.topic,
                    account=room.chat,
                    key=key,
                    body=body,
                    now=self._clock.now(),
                    files=files,
                    placeholder=placeholder,
                )
            )
        if message is None:
            raise Gone(facts.NAME, "has this conversation no more")
        self._live.changed(room.topic)
        if growing and part is not None:
            self._live.grow(room.topic, message.id, part.body["html"])
        return str(message.id)

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        """Show a part in a message; a preview is shown to whoever looks and not stored."""
        number = _number(message_id)
        if is_preview(part):
            self._live.grow(room.topic, number, part.body["html"])
            return
        with _storage():
            body, files = await self._stored(room, part, message_id)
            self._live.settle(number)
            message = await self._transcript.fill(
                Filling(
                    conversation=room.topic,
                    message_id=number,
                    body=body,
                    now=self._clock.now(),
                    account=room.chat,
                    files=files,
                )
            )
        if message is None:
            raise Vanished(facts.NAME, "has this message no more")
        self._live.changed(room.topic)

    async def remove(self, room: Room, message_id: str) -> None:
        """Take a message back."""
        number = _number(message_id)
        self._live.settle(number)
        with _storage():
            await self._transcript.fill(
                Filling(conversation=room.topic, message_id=number, body=None, now=self._clock.now())
            )
        self._live.changed(room.topic)

    async def find(self, room: Room, key: str) -> str | None:
        """Return the id of the message that was written with this key."""
        with _storage():
            found = await self._transcript.find(room.topic, key)
        return None if found is None else str(found)

    async def _stored(self, room: Room, part: Part, key: str) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return what the transcript keeps of a part, and the files that it carries."""
        if part.kind is PartKind.TEXT:
            return part.body, ()
        file = await self._files.adopt(
            OutFile(name=part.body["name"], path=Path(part.body["path"]), media_type=part.body["media_type"]),
            file_id=file_id(room, key),
            account=room.chat,
        )
        return {"file": file_body(file)}, (file.id,)


def file_id(room: Room, key: str) -> str:
    """Return the id of the file that is posted with a key, the same for every try."""
    return hashlib.sha256(f"{room.key}#{key}".encode()).hexdigest()[:32]


def file_body(file: StoredFile) -> dict[str, Any]:
    """Return how a message tells of a file."""
    return {"id": file.id, "name": file.name, "media_type": file.media_type, "size": file.size}


def _number(message_id: str) -> int:
    if not message_id.isdecimal():
        raise Vanished(facts.NAME, f"has no message {message_id!r}")
    return int(message_id)


@contextmanager
def _storage() -> Iterator[None]:
    try:
        yield
    except StorageBusy as error:
        raise Unreachable(facts.NAME, f"did not store the message: {error}") from error
