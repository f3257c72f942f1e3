"""Replies as the page's messages. Pure."""

from __future__ import annotations

from typing import Any

from adapters._shared.markdown import clean
from adapters.web import texts
from adapters.web.cards import card_body
from adapters.web.markup import markup
from bot.replies import OutFile, Part, PartKind, Reply

WORKING: dict[str, Any] = {"working": True}
"""What a placeholder is stored as."""


def render(reply: Reply) -> tuple[Part, ...]:
    """Return the messages that say the reply: one for text and card, one for each file."""
    parts = tuple(_file(file) for file in reply.files)
    if reply.text.strip() or reply.card is not None or not parts:
        return (_text(reply), *parts)
    return parts


def preview(text: str) -> Part:
    """Return an answer that is still growing; it is shown, never stored."""
    return Part(body={"preview": True, "html": markup(text)})


def is_preview(part: Part) -> bool:
    return part.body.get("preview") is True


def _text(reply: Reply) -> Part:
    text = clean(reply.text)
    body: dict[str, Any] = {"html": "", "text": text}
    if text.strip():
        body["html"] = markup(text)
    elif reply.card is None:
        body = {"html": markup(texts.EMPTY), "text": texts.EMPTY}
    if reply.card is not None:
        body["card"] = card_body(reply.card, markup)
        body["text"] = "\n\n".join(piece for piece in (text, clean(reply.card.text)) if piece)
    return Part(body=body)


def _file(file: OutFile) -> Part:
    return Part(
        kind=PartKind.FILE, body={"path": str(file.path), "name": clean(file.name), "media_type": file.media_type}
    )
