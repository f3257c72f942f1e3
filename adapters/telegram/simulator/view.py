"""View: chats and messages as the page and other programs read them over HTTP."""

from __future__ import annotations

from typing import Any

from adapters.telegram.simulator import texts
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.simulator.chats import Chats
from adapters.telegram.simulator.message import Json, Message
from adapters.telegram.simulator.state import State

SHOWN = 500
"""How many of a chat's latest messages a page gets."""


def overview(state: State, chats: Chats) -> Json:
    """Return everything a page needs to begin, without the messages."""
    bot = state.primary
    return {
        "bot": {
            "id": bot.id,
            "name": bot.name,
            "username": bot.username,
            "connected": bot.claimed,
            "commands": next(iter(bot.commands.values()), []),
        },
        "people": [{"id": person.id, "name": person.name, "handle": person.handle} for person in state.people.all],
        "chats": [_summary(chat) for chat in chats.all],
    }


def _summary(chat: Chat) -> Json:
    last = next(reversed(chat.messages.values()), None)
    return {
        "key": chat.key,
        "kind": chat.kind,
        "title": chat.title or (chat.person.name if chat.person else ""),
        "is_forum": chat.is_forum,
        "people": [person.name for person in chat.people],
        "topics": [{"id": topic.id, "name": topic.name} for topic in chat.topics.values()],
        "blocked": chat.blocked,
        "bot_is_here": bool(chat.bots),
        "migrated_to": str(chat.migrated_to) if chat.migrated_to is not None else None,
        "last": {"author": _author(last), "text": _preview(last), "date": last.date} if last else None,
    }


def chat_view(state: State, chat: Chat) -> Json:
    """Return a chat with its messages."""
    now = state.clock.monotonic()
    drafts = [draft for draft in chat.drafts.values() if draft.until > now]
    messages = list(chat.messages.values())[-SHOWN:]
    return {
        **_summary(chat),
        "messages": [message_view(message) for message in messages],
        "action": chat.action if chat.acting_until > now else "",
        "drafts": [{"text": draft.styled.text, "entities": list(draft.styled.entities)} for draft in drafts],
    }


def message_view(message: Message) -> Json:
    content = message.content
    view: Json = {
        "id": message.id,
        "date": message.date,
        "author": _author(message),
        "person": message.person.name if message.person else None,
        "from_bot": message.bot_id is not None,
        "text": message.text,
        "entities": list(content.styled.entities),
        "edited": message.edit_date is not None,
        "edits": [edit.styled.text for edit in message.edits],
        "topic": message.thread_id if message.is_topic else None,
        "group": message.group,
        "buttons": message.markup["inline_keyboard"] if message.markup else [],
        "reactions": list(message.reactions.values()),
        "note": _note(message),
    }
    reply = message.reply_to
    if reply is not None and reply.service is None:
        view["reply_to"] = {"id": reply.id, "author": _author(reply), "text": _preview(reply)}
    if content.photo is not None:
        view["photo"] = {"url": f"/sim/file/{content.photo.largest.id}", "name": content.photo.largest.name}
    if content.document is not None:
        file = content.document
        view["document"] = {"url": f"/sim/file/{file.id}", "name": file.name, "size": file.size}
    return view


def _author(message: Message) -> str:
    chat: Any = message.sender_chat
    if chat is not None:
        return str(chat["title"])
    return str(message.sender["first_name"]) if message.sender else ""


def _preview(message: Message) -> str:
    if message.service is not None:
        return _note(message) or ""
    if message.text:
        return message.text[:200]
    if message.content.photo is not None:
        return "Photo"
    return message.content.document.name if message.content.document else ""


def _note(message: Message) -> str | None:
    service = message.service
    if service is None:
        return None
    if "forum_topic_created" in service:
        return texts.topic_created(service["forum_topic_created"]["name"])
    if "new_chat_members" in service:
        return texts.joined(", ".join(member["first_name"] for member in service["new_chat_members"]))
    return texts.MIGRATED if "migrate_to_chat_id" in service else texts.MIGRATED_FROM
