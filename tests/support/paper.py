"""Paper: a platform in memory that fulfils the ports. What it remembers outlives a crash of the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.adapter import Capabilities, Check, Deliver, Toolkit
from bot.errors import DeliveryError, Vanished
from bot.events import Attachment, Room
from bot.replies import Part, PartKind, Reply

PLACEHOLDER = "…"
LIMIT = 200


@dataclass(slots=True)
class Sheet:
    """One message as the room shows it."""

    id: str
    room: str
    text: str
    key: str
    anchor: str = ""
    edits: list[str] = field(default_factory=list)


class Desk:
    """What the platform remembers, whatever becomes of the bot."""

    def __init__(self) -> None:
        self.sheets: dict[str, Sheet] = {}
        self.calls: list[tuple[str, str, str]] = []
        self._count = 0
        self.fault: Callable[[str, str], DeliveryError | None] = lambda call, text: None
        """Asked before each call with its name and text; what it returns is raised."""

    def new_id(self) -> str:
        self._count += 1
        return str(self._count)

    def room(self, room_key: str) -> list[Sheet]:
        return [sheet for sheet in self.sheets.values() if sheet.room == room_key]

    def texts(self, room_key: str) -> list[str]:
        return [sheet.text for sheet in self.room(room_key)]


class PaperConnection:
    """The account."""

    account = "paperbot"
    listens_alone = False

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.deliver: Deliver | None = None
        self.cut = False
        """The process behind it is dead: nothing reaches the platform any more."""

    async def listen(self, deliver: Deliver) -> None:
        self.deliver = deliver
        await asyncio.Event().wait()

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        await self._line()
        text = PLACEHOLDER if part is None else str(part.body["text"])
        self._call("post", room.key, text)
        message_id = self._desk.new_id()
        self._desk.sheets[message_id] = Sheet(id=message_id, room=room.key, text=text, key=key, anchor=anchor)
        self._call("answered", room.key, text)
        return message_id

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        await self._line()
        text = str(part.body["text"])
        self._call("fill", room.key, text)
        sheet = self._desk.sheets.get(message_id)
        if sheet is None:
            raise Vanished("paper", "has no such message")
        sheet.edits.append(sheet.text)
        sheet.text = text

    async def remove(self, room: Room, message_id: str) -> None:
        await self._line()
        self._call("remove", room.key, "")
        self._desk.sheets.pop(message_id, None)

    async def find(self, room: Room, *, key: str) -> str | None:
        await self._line()
        self._call("find", room.key, key)
        return next((sheet.id for sheet in self._desk.room(room.key) if sheet.key == key), None)

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        await asyncio.to_thread(into.write_bytes, attachment.handle.encode())

    async def close(self) -> None:
        return None

    async def _line(self) -> None:
        if self.cut:
            await asyncio.Event().wait()

    def _call(self, name: str, room: str, text: str) -> None:
        self._desk.calls.append((name, room, text))
        error = self._desk.fault(name, text)
        if error is not None:
            raise error


class PaperAdapter:
    """The platform. `reserves` chooses between the two ways of delivery."""

    name = "paper"
    environment: Mapping[str, str] = {"PAPER_TOKEN": "turns paper on"}
    options: Mapping[str, Any] = {}

    def __init__(self, desk: Desk, *, reserves: bool = True, request_seconds: float = 2.0) -> None:
        self.desk = desk
        self.capabilities = Capabilities(
            reserves=reserves, preview_seconds_direct=0.0, preview_seconds_group=0.0, request_seconds=request_seconds
        )
        self.previews = True
        """Whether what grows is shown."""

    def render(self, reply: Reply) -> tuple[Part, ...]:
        text = reply.text or "(nothing)"
        pieces = [text[start : start + LIMIT] for start in range(0, len(text), LIMIT)]
        files = [Part(kind=PartKind.FILE, body={"text": file.name, "path": str(file.path)}) for file in reply.files]
        return (*(Part(body={"text": piece}) for piece in pieces), *files)

    def render_text(self, text: str) -> tuple[Part, ...]:
        return self.render(Reply(text=text))

    def preview(self, text: str) -> Part:
        return Part(body={"text": text[:LIMIT]})

    def plainer(self, part: Part) -> Part | None:
        return None if part.body.get("plain") else Part(kind=part.kind, body={**part.body, "plain": True})

    async def open(self, toolkit: Toolkit) -> PaperConnection:
        return PaperConnection(self.desk)

    async def doctor(self, toolkit: Toolkit) -> Sequence[Check]:
        return [Check(ok=True, title="paper is patient")]
