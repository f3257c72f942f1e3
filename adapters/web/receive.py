"""What the browser sends to values, and what a person said to events. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from adapters.web import facts, texts
from bot.errors import DeckhandError
from bot.events import Attachment, Author, Event, Kind, Room
from bot.transcript import Message, StoredFile


class Malformed(DeckhandError):
    """The browser sent what the page never sends; the sentence is for the person."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A message as the composer sends it."""

    key: str
    text: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Press:
    """A pressed button, by its message and place; with what was filled in."""

    key: str
    message_id: int
    action: int
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_draft(body: bytes) -> Draft:
    """Return the draft in a request. Raises `Malformed`."""
    raw = _object(body)
    text, files = raw.get("text", ""), raw.get("files", [])
    if not isinstance(text, str) or not isinstance(files, list):
        raise Malformed(texts.BAD_REQUEST)
    if not all(isinstance(file, str) and facts.FILE_ID.fullmatch(file) for file in files):
        raise Malformed(texts.BAD_REQUEST)
    if len(text) > facts.MAX_TEXT:
        raise Malformed(texts.too_long(facts.MAX_TEXT))
    if len(files) > facts.MAX_FILES:
        raise Malformed(texts.too_many_files(facts.MAX_FILES))
    text = text.replace("\r\n", "\n").replace("\0", "").strip()
    if not text and not files:
        raise Malformed(texts.NOTHING_SAID)
    return Draft(key=_key(raw), text=text, files=tuple(dict.fromkeys(files)))


def read_press(body: bytes) -> Press:
    """Return the press in a request. Raises `Malformed`."""
    raw = _object(body)
    values = raw.get("values", {})
    if not isinstance(values, dict):
        raise Malformed(texts.BAD_REQUEST)
    read = {name: _strings(value) for name, value in values.items()}
    return Press(key=_key(raw), message_id=_count(raw, "message"), action=_count(raw, "action"), values=read)


def read_stop(body: bytes) -> str:
    """Return the key of a request to stop. Raises `Malformed`."""
    return _key(_object(body))


def title_of(text: str, files: Sequence[StoredFile]) -> str:
    """Return what a conversation is called that begins like this."""
    for line in text.splitlines():
        words = " ".join(line.split()).lstrip("#>*`- ")
        if words:
            return words if len(words) <= facts.MAX_TITLE else words[: facts.MAX_TITLE - 1].rstrip() + "…"
    return files[0].name[: facts.MAX_TITLE] if files else texts.UNTITLED


def said_body(name: str, text: str, files: Sequence[StoredFile]) -> dict[str, Any]:
    """Return how a message of a person is stored."""
    return {
        "name": name,
        "text": text,
        "files": [
            {"id": file.id, "name": file.name, "media_type": file.media_type, "size": file.size} for file in files
        ],
    }


def pressed_body(name: str, *, label: str, says: str, form: bool) -> dict[str, Any]:
    """Return how a pressed button is stored."""
    return {"name": name, "pressed": label, "says": says, "form": form}


def room_of(account: str, conversation: str) -> Room:
    """Return the room of a conversation."""
    return Room(platform=facts.NAME, workspace="", chat=account, topic=conversation)


def event_of(message: Message, title: str = "") -> Event:
    """Return the event that a stored message of a person stands for."""
    body = message.body
    kind, text = Kind.MESSAGE, body.get("text", "")
    if "pressed" in body:
        kind, text = Kind.FORM if body["form"] else Kind.CLICK, body["says"]
    return Event(
        id=f"{facts.NAME}:{message.id}",
        kind=kind,
        room=room_of(message.account, message.conversation),
        author=Author(id=message.account, name=body.get("name", "")),
        received_at=message.at,
        direct=True,
        mentions_bot=True,
        message_id=str(message.id),
        text=text,
        files=tuple(
            Attachment(name=file["name"], handle=file["id"], media_type=file["media_type"], size=file["size"])
            for file in body.get("files", [])
        ),
        title=title,
        raw_kind="press" if "pressed" in body else "message",
    )


def _object(body: bytes) -> dict[str, Any]:
    try:
        raw = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise Malformed(texts.BAD_REQUEST) from None
    if not isinstance(raw, dict):
        raise Malformed(texts.BAD_REQUEST)
    return raw


def _key(raw: Mapping[str, Any]) -> str:
    key = raw.get("key")
    if not isinstance(key, str) or not facts.KEY.fullmatch(key):
        raise Malformed(texts.BAD_REQUEST)
    return key


def _count(raw: Mapping[str, Any], name: str) -> int:
    value = raw.get(name)
    if type(value) is not int or not 0 <= value < 2**53:
        raise Malformed(texts.BAD_REQUEST)
    return value


def _strings(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    words = [one.replace("\0", "") for one in values if isinstance(one, str) and len(one) <= facts.MAX_TEXT]
    if len(words) < len(values):
        raise Malformed(texts.BAD_REQUEST)
    return tuple(words)
