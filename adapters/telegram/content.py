"""Content: what a message carries besides its text. Files as attachments, everything else as a short honest line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from adapters.telegram.facts import MAX_FETCH_BYTES
from adapters.telegram.reading import (
    Json,
    a_number,
    a_string,
    an_integer,
    an_object,
    objects,
    the_object,
    the_string,
)
from bot.events import Attachment

_FILE_KINDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "document": ("", "application/octet-stream"),
        "animation": (".mp4", "video/mp4"),
        "audio": (".mp3", "audio/mpeg"),
        "live_photo": (".mp4", "video/mp4"),
        "video": (".mp4", "video/mp4"),
        "video_note": (".mp4", "video/mp4"),
        "voice": (".ogg", "audio/ogg"),
    }
)
"""Suffix and media type where the message gives no name or type of its own."""


def attachments(message: Json) -> tuple[Attachment, ...]:
    """Return the files of a message."""
    found: list[Attachment] = []
    photo = _photo(message)
    if photo is not None:
        found.append(photo)
    for kind, (suffix, media_type) in _FILE_KINDS.items():
        # An animation is repeated as a document for clients that do not know animations.
        file = None if kind == "document" and message.get("animation") is not None else an_object(message, kind)
        if file is not None:
            found.append(_file(file, f"{kind}_{message.get('message_id')}{suffix}", media_type))
    sticker = an_object(message, "sticker")
    if sticker is not None:
        found.append(_sticker(sticker, message))
    return tuple(found)


def _photo(message: Json) -> Attachment | None:
    """Return the largest size that bots may fetch; the smallest one where all are too large."""
    sizes = sorted(objects(message, "photo"), key=_pixels)
    if not sizes:
        return None
    fetchable = [size for size in sizes if (an_integer(size, "file_size") or 0) <= MAX_FETCH_BYTES]
    best = fetchable[-1] if fetchable else sizes[0]
    return _file(best, f"photo_{message.get('message_id')}.jpg", "image/jpeg")


def _pixels(size: Json) -> int:
    return (an_integer(size, "width") or 0) * (an_integer(size, "height") or 0)


def _file(file: Json, name: str, media_type: str) -> Attachment:
    return Attachment(
        name=a_string(file, "file_name") or name,
        handle=the_string(file, "file_id"),
        media_type=a_string(file, "mime_type") or media_type,
        size=an_integer(file, "file_size"),
    )


def _sticker(sticker: Json, message: Json) -> Attachment:
    suffix, media_type = ".webp", "image/webp"
    if sticker.get("is_animated") is True:
        suffix, media_type = ".tgs", "application/x-tgsticker"
    elif sticker.get("is_video") is True:
        suffix, media_type = ".webm", "video/webm"
    return _file(sticker, f"sticker_{message.get('message_id')}{suffix}", media_type)


def description(message: Json) -> str:
    """Return a line for content that is neither text nor a file, empty where there is none."""
    for kind, describe in _DESCRIPTIONS.items():
        content = an_object(message, kind)
        if content is not None:
            return describe(content)
    return ""


def rich_text(message: Json) -> str:
    """Return the words of a rich message, one block a line, empty where it is none."""
    rich = an_object(message, "rich_message")
    if rich is None:
        return ""
    lines = ("".join(_words(block)) for block in objects(rich, "blocks"))
    return "\n".join(line for line in lines if line)


def _words(value: Any) -> Iterator[str]:
    """Yield the words of a block in order. Blocks nest; what is shown stands in these fields."""
    pending: list[Any] = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield a_string({"text": value}, "text")
        elif isinstance(value, list):
            pending.extend(reversed(value))
        elif isinstance(value, dict):
            shown = (value.get(key) for key in ("label", "text", "items", "blocks", "cells", "caption", "expression"))
            pending.extend(reversed([part for part in shown if part is not None]))


def _sticker_line(sticker: Json) -> str:
    return _line("sticker", a_string(sticker, "emoji"))


def _venue_line(venue: Json) -> str:
    place = _coordinates(the_object(venue, "location"))
    return _line("venue", f"{a_string(venue, 'title')}, {a_string(venue, 'address')} ({place})")


def _location_line(location: Json) -> str:
    return _line("location", _coordinates(location))


def _coordinates(location: Json) -> str:
    return f"{a_number(location, 'latitude')}, {a_number(location, 'longitude')}"


def _contact_line(contact: Json) -> str:
    name = f"{a_string(contact, 'first_name')} {a_string(contact, 'last_name')}".strip()
    return _line("contact", f"{name}, {a_string(contact, 'phone_number')}")


def _poll_line(poll: Json) -> str:
    options = "; ".join(a_string(option, "text") for option in objects(poll, "options"))
    return _line("poll", f"{a_string(poll, 'question')} ({options})")


def _dice_line(dice: Json) -> str:
    return _line("dice", f"{a_string(dice, 'emoji')} {an_integer(dice, 'value')}")


def _checklist_line(checklist: Json) -> str:
    tasks = "; ".join(a_string(task, "text") for task in objects(checklist, "tasks"))
    return _line("checklist", f"{a_string(checklist, 'title')} ({tasks})")


def _titled(kind: str) -> Callable[[Json], str]:
    return lambda content: _line(kind, a_string(content, "title"))


def _line(kind: str, content: str) -> str:
    return f"[{kind}: {content}]" if content.strip() else f"[{kind}]"


_DESCRIPTIONS: Mapping[str, Callable[[Json], str]] = MappingProxyType(
    {
        "sticker": _sticker_line,
        # A venue is repeated as a location, so it comes first.
        "venue": _venue_line,
        "location": _location_line,
        "contact": _contact_line,
        "poll": _poll_line,
        "dice": _dice_line,
        "checklist": _checklist_line,
        "game": _titled("game"),
        "invoice": _titled("invoice"),
        "story": lambda _: "[a story, which bots cannot open]",
        "paid_media": lambda _: "[paid media, which bots cannot open]",
    }
)
