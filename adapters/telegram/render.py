"""Replies to messages of the platform. Pure: sizes of files and the network are the sender's."""

from __future__ import annotations

from typing import Any

from adapters._shared.characters import blank
from adapters._shared.markdown import clean, parse
from adapters._shared.plain import with_address
from adapters._shared.split import split
from adapters._shared.tree import Blocks
from adapters._shared.utf16 import units
from adapters.telegram import texts
from adapters.telegram.cards import card_blocks, keyboard
from adapters.telegram.entities import Written, within, write
from adapters.telegram.facts import MAX_CAPTION, MAX_TEXT, PHOTO_TYPES
from bot.replies import OutFile, Part, PartKind, Reply

_PREVIEW_SOURCE = 8 * MAX_TEXT
"""More of a growing answer is not parsed for its first message."""


def render(reply: Reply) -> tuple[Part, ...]:
    """Return the messages that say the reply: texts first, the buttons on the last of them, then files."""
    blocks = parse(reply.text)
    if reply.card is not None:
        blocks += card_blocks(reply.card)
    written = messages(blocks)
    if _is_caption(reply, written):
        return (_file(reply.files[0], written[0]),)
    rows = keyboard(reply.card) if reply.card is not None else []
    if not written and (rows or not reply.files):
        written = (Written(text=texts.CHOOSE if rows else texts.EMPTY, entities=()),)
    parts = [_text(message) for message in written]
    if rows:
        parts[-1].body["reply_markup"] = {"inline_keyboard": rows}
    return (*parts, *(_file(file, None) for file in reply.files))


def preview(text: str) -> Part:
    """Return the first message of an answer that is still growing."""
    written = messages(parse(text[:_PREVIEW_SOURCE]), limit=MAX_TEXT - len(texts.GROWING) - 1)
    if not written:
        return _text(Written(text=texts.PLACEHOLDER, entities=()))
    first = written[0]
    if len(written) == 1 and len(text) <= _PREVIEW_SOURCE:
        return _text(first)
    return _text(Written(text=f"{first.text}\n{texts.GROWING}", entities=first.entities))


def plainer(part: Part) -> Part | None:
    """Return the same content without entities, and a photo as a document; None if it is that already."""
    if part.kind is PartKind.FILE:
        return _plainer_file(part.body)
    entities = part.body.get("entities")
    if not entities:
        return None
    return Part(body={**part.body, "text": _spelled_out(part.body["text"], entities, MAX_TEXT), "entities": []})


def messages(blocks: Blocks, *, limit: int = MAX_TEXT) -> tuple[Written, ...]:
    """Return the texts that say these blocks, each within the limit and not blank."""
    whole = within(blocks, limit)
    if whole is not None:
        return () if blank(whole.text) else (whole,)

    def measure(piece: Blocks) -> int:
        written = within(piece, limit)
        return limit + 1 if written is None else units(written.text)

    pieces = split(blocks, limit, measure)
    return tuple(written for piece in pieces if not blank((written := write(piece)).text))


def _is_caption(reply: Reply, written: tuple[Written, ...]) -> bool:
    """A short text goes with the only file, unless buttons need a message of their own."""
    return len(reply.files) == 1 and reply.card is None and len(written) == 1 and units(written[0].text) <= MAX_CAPTION


def _text(written: Written) -> Part:
    return Part(body={"text": written.text, "entities": list(written.entities)})


def _file(file: OutFile, caption: Written | None) -> Part:
    body: dict[str, Any] = {
        "path": str(file.path),
        "name": clean(file.name),
        "media_type": file.media_type,
        "as": "photo" if file.media_type in PHOTO_TYPES else "document",
    }
    if caption is not None:
        body["caption"] = caption.text
        body["caption_entities"] = list(caption.entities)
    return Part(kind=PartKind.FILE, body=body)


def _plainer_file(body: dict[str, Any]) -> Part | None:
    if body["as"] == "document" and not body.get("caption_entities"):
        return None
    plain = {**body, "as": "document"}
    if body.get("caption_entities"):
        plain["caption"] = _spelled_out(body["caption"], body["caption_entities"], MAX_CAPTION)
        plain["caption_entities"] = []
    return Part(kind=PartKind.FILE, body=plain)


def _spelled_out(text: str, entities: list[dict[str, Any]], limit: int) -> str:
    """Return the text with the addresses of its links in it, as long as they fit."""
    raw = text.encode("utf-16-le")
    for entity in sorted((entity for entity in entities if "url" in entity), key=lambda entity: -entity["offset"]):
        start, end = 2 * entity["offset"], 2 * (entity["offset"] + entity["length"])
        address = with_address(raw[start:end].decode("utf-16-le"), entity["url"]).encode("utf-16-le")
        if len(raw) + len(address) <= 2 * limit:
            raw = raw[:end] + address + raw[end:]
    return raw.decode("utf-16-le")
