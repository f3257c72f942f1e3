"""Items: what a thread consists of, as the agent reads it; and how it is stored. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from agent.model import Call
from bot.events import Event
from bot.work import StoredItem


@dataclass(frozen=True, kw_only=True, slots=True)
class UserItem:
    """What a person said."""

    text: str
    author: str = ""
    """Their display name: untrusted text."""
    shared: bool = False
    """Said in a room where others listen."""
    quoted_author: str = ""
    quoted_text: str = ""
    """What they replied to; empty where they replied to nothing."""
    files: tuple[str, ...] = ()
    """Virtual paths of what came with it."""
    notes: tuple[str, ...] = ()
    """What else is to be known about it, such as a file that could not be fetched."""
    message_key: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class AssistantItem:
    """What the model answered."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    model: str = ""
    error_fallback: bool = False
    """The words are ours, about a failure; the model never reads them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolItem:
    """What came of a call."""

    call_id: str
    name: str
    text: str
    error: bool = False
    files: tuple[str, ...] = ()
    """Virtual paths of files that go out with the answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteItem:
    """What the system has to tell the model from here on."""

    text: str


Item = UserItem | AssistantItem | ToolItem | NoteItem

# https://www.postgresql.org/docs/current/datatype-json.html: no null character; half a surrogate pair is no UTF-8.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def from_event(event: Event, *, files: tuple[str, ...] = (), notes: tuple[str, ...] = ()) -> UserItem:
    """Return what was said with an event."""
    quoted = event.quoted
    return UserItem(
        text=event.text,
        author=event.author.name or event.author.id,
        shared=not event.direct,
        quoted_author=("you" if quoted.from_us else quoted.author) if quoted else "",
        quoted_text=quoted.text if quoted else "",
        files=files,
        notes=notes,
        message_key=event.room.message_key(event.message_id) if event.message_id else "",
    )


def dump(item: Item) -> StoredItem:
    """Return the item as it is stored; `load` reads it back."""
    match item:
        case UserItem():
            return StoredItem(kind="user", body=_user_body(item), message_key=item.message_key)
        case AssistantItem():
            return StoredItem(kind="assistant", body=_assistant_body(item))
        case ToolItem():
            body = {"call_id": item.call_id, "name": item.name, "text": item.text}
            return StoredItem(kind="tool", body=body | _set(error=item.error, files=list(item.files)))
        case NoteItem():
            return StoredItem(kind="note", body={"text": item.text})
        case other:
            assert_never(other)


def storable(text: str) -> str:
    """Return text from outside with a mark for each character that a database or a provider cannot take."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def load(stored: Iterable[StoredItem]) -> tuple[Item, ...]:
    """Return the items in order; kinds that a newer version wrote are left out."""
    return tuple(read(one) for one in stored if (read := _READERS.get(one.kind)) is not None)


def _set(**fields: Any) -> dict[str, Any]:
    """Return the fields that say something: most items have few of them, and there are very many items."""
    return {name: value for name, value in fields.items() if value}


def _user_body(item: UserItem) -> dict[str, Any]:
    return {"text": item.text} | _set(
        author=item.author,
        shared=item.shared,
        quoted_author=item.quoted_author,
        quoted_text=item.quoted_text,
        files=list(item.files),
        notes=list(item.notes),
    )


def _assistant_body(item: AssistantItem) -> dict[str, Any]:
    calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in item.calls]
    return {"text": item.text} | _set(calls=calls, model=item.model, error_fallback=item.error_fallback)


def _read_user(stored: StoredItem) -> UserItem:
    body = stored.body
    return UserItem(
        text=_text(body, "text"),
        author=_text(body, "author"),
        shared=bool(body.get("shared")),
        quoted_author=_text(body, "quoted_author"),
        quoted_text=_text(body, "quoted_text"),
        files=_texts(body, "files"),
        notes=_texts(body, "notes"),
        message_key=stored.message_key,
    )


def _read_assistant(stored: StoredItem) -> AssistantItem:
    body = stored.body
    return AssistantItem(
        text=_text(body, "text"),
        calls=tuple(
            Call(id=_text(call, "id"), name=_text(call, "name"), arguments=_text(call, "arguments"))
            for call in body.get("calls") or ()
        ),
        model=_text(body, "model"),
        error_fallback=bool(body.get("error_fallback")),
    )


def _read_tool(stored: StoredItem) -> ToolItem:
    body = stored.body
    return ToolItem(
        call_id=_text(body, "call_id"),
        name=_text(body, "name"),
        text=_text(body, "text"),
        error=bool(body.get("error")),
        files=_texts(body, "files"),
    )


def _read_note(stored: StoredItem) -> NoteItem:
    return NoteItem(text=_text(stored.body, "text"))


_READERS: dict[str, Callable[[StoredItem], Item]] = {
    "user": _read_user,
    "assistant": _read_assistant,
    "tool": _read_tool,
    "note": _read_note,
}


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    return value if isinstance(value, str) else ""


def _texts(body: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(value for value in body.get(name) or () if isinstance(value, str))
