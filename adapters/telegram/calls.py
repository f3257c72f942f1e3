"""Calls: parts as the platform's parameters. Pure."""

from __future__ import annotations

from typing import Any

from bot.events import Room

Parameters = dict[str, Any]


def place(room: Room) -> Parameters:
    """Return where to send. The general topic has no id: naming it is refused."""
    return {"chat_id": int(room.chat), "message_thread_id": int(room.topic) if room.topic else None}


def message(room: Room, message_id: str) -> Parameters:
    """Return which message to change."""
    return {"chat_id": int(room.chat), "message_id": int(message_id)}


def answering(anchor: str) -> Parameters:
    """Return what makes a message a reply; it is sent all the same when the other one was deleted."""
    if not anchor:
        return {}
    return {"reply_parameters": {"message_id": int(anchor), "allow_sending_without_reply": True}}


def text(body: Parameters, *, link_previews: bool) -> Parameters:
    """Return what a text part says."""
    return {
        "text": body["text"],
        "entities": body.get("entities") or None,
        "reply_markup": body.get("reply_markup"),
        "link_preview_options": None if link_previews else {"is_disabled": True},
    }


def caption(body: Parameters) -> Parameters:
    """Return what stands under a file, nothing where nothing does."""
    shown = {"caption": body.get("caption") or None, "caption_entities": body.get("caption_entities") or None}
    return {name: value for name, value in shown.items() if value is not None}


def media(body: Parameters, kind: str, field: str) -> Parameters:
    """Return the description of a file that travels in another field of the same call."""
    return {"type": kind, "media": f"attach://{field}", **caption(body)}
