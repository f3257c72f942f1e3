"""Updates to events. Pure: the same update is the same event, whoever delivers it and however often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from adapters.telegram.cards import control_word
from adapters.telegram.content import attachments, description, rich_text
from adapters.telegram.facts import NAME
from adapters.telegram.mentions import Said, Us, hear
from adapters.telegram.reading import (
    Json,
    a_flag,
    a_string,
    an_integer,
    an_object,
    objects,
    the_integer,
    the_object,
    the_string,
)
from bot.events import Author, Event, Kind, Quoted, Room

# https://core.telegram.org/bots/api#update: what we ask to be sent
ALLOWED_UPDATES = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "my_chat_member",
    "message_reaction",
)

_GENERAL_TOPIC = 1


def receive(update: Json, us: Us, received_at: datetime) -> Event | None:
    """Return the event in an update, None for one that is no business of ours.

    Raises `ValueError`, naming the update, for one that breaks the platform's own rules.
    """
    update_id = update.get("update_id")
    try:
        arrived = _Arrived(f"{NAME}:{us.id}:{the_integer(update, 'update_id')}", us, received_at)
        for field, read in _READERS.items():
            content = an_object(update, field)
            if content is not None:
                return read(arrived, content, field)
    except ValueError as error:
        raise ValueError(f"{NAME} update {update_id!r:.40} is malformed: {error}") from error
    return None


class _Arrived:
    """What all events of one update share."""

    __slots__ = ("at", "event_id", "us")

    def __init__(self, event_id: str, us: Us, at: datetime) -> None:
        self.event_id = event_id
        self.us = us
        self.at = at

    def author(self, user: Json) -> Author:
        user_id = the_integer(user, "id")
        name = f"{a_string(user, 'first_name')} {a_string(user, 'last_name')}".strip()
        return Author(
            id=str(user_id),
            name=name or a_string(user, "username"),
            is_bot=a_flag(user, "is_bot"),
            is_us=user_id == self.us.id,
        )

    def room(self, chat: Json, topic: str = "") -> Room:
        return Room(platform=NAME, workspace=str(self.us.id), chat=str(the_integer(chat, "id")), topic=topic)


def _message(arrived: _Arrived, message: Json, field: str) -> Event | None:
    moved_to = an_integer(message, "migrate_to_chat_id")
    if moved_to is not None:
        return _moved(arrived, message, moved_to)
    files = attachments(message)
    said = _said(message, arrived.us)
    if not said.text and not files and not said.mentions_us:
        return None
    chat = the_object(message, "chat")
    topic = _topic(message)
    replied = an_object(message, "reply_to_message")
    quoted = _quoted(arrived, message, replied)
    if not files and quoted is not None and not quoted.from_us and replied is not None:
        # "What is this?", said in reply to a picture, is about the picture.
        files = attachments(replied)
    return Event(
        id=arrived.event_id,
        kind=Kind.EDIT if field.startswith("edited_") else Kind.MESSAGE,
        room=arrived.room(chat, topic),
        author=_author(arrived, message),
        received_at=arrived.at,
        direct=_is_direct(chat),
        message_id=str(the_integer(message, "message_id")),
        text=said.text,
        mentions_bot=said.mentions_us,
        for_other_bot=said.for_other_bot,
        quoted=quoted,
        files=files,
        group=a_string(message, "media_group_id"),
        title=_title(chat, topic, replied),
        raw_kind=field,
    )


def _moved(arrived: _Arrived, message: Json, chat_id: int) -> Event:
    """Read the notice that a group became a supergroup. The new chat repeats it; that is not needed."""
    old = arrived.room(the_object(message, "chat"))
    return Event(
        id=arrived.event_id,
        kind=Kind.MOVED,
        room=old,
        author=_author(arrived, message),
        received_at=arrived.at,
        message_id=str(the_integer(message, "message_id")),
        moved_to=arrived.room({"id": chat_id}),
        raw_kind="migrate_to_chat_id",
    )


def _click(arrived: _Arrived, query: Json, field: str) -> Event | None:
    message = an_object(query, "message")
    data = a_string(query, "data")
    if message is None or not data:
        return None
    chat = the_object(message, "chat")
    topic = _topic(message)
    return Event(
        id=arrived.event_id,
        kind=Kind.CLICK,
        room=arrived.room(chat, topic),
        author=arrived.author(the_object(query, "from")),
        received_at=arrived.at,
        direct=_is_direct(chat),
        message_id=str(the_integer(message, "message_id")),
        text=control_word(data),
        title=_title(chat, topic, an_object(message, "reply_to_message")),
        raw_kind=field,
    )


def _membership(arrived: _Arrived, change: Json, field: str) -> Event:
    chat = the_object(change, "chat")
    return Event(
        id=arrived.event_id,
        kind=Kind.MEMBERSHIP,
        room=arrived.room(chat),
        author=arrived.author(the_object(change, "from")),
        received_at=arrived.at,
        direct=_is_direct(chat),
        text=the_string(the_object(change, "new_chat_member"), "status"),
        title=_title(chat, "", None),
        raw_kind=field,
    )


def _reaction(arrived: _Arrived, change: Json, field: str) -> Event:
    chat = the_object(change, "chat")
    user, actor = an_object(change, "user"), an_object(change, "actor_chat")
    return Event(
        id=arrived.event_id,
        kind=Kind.REACTION,
        room=arrived.room(chat),
        author=arrived.author(user) if user is not None else _chat_author(actor if actor is not None else chat),
        received_at=arrived.at,
        direct=_is_direct(chat),
        message_id=str(the_integer(change, "message_id")),
        text=" ".join(a_string(reaction, "emoji") for reaction in objects(change, "new_reaction")).strip(),
        title=_title(chat, "", None),
        raw_kind=field,
    )


_READERS: Mapping[str, Callable[[_Arrived, Json, str], Event | None]] = MappingProxyType(
    {
        "message": _message,
        "edited_message": _message,
        "channel_post": _message,
        "edited_channel_post": _message,
        "callback_query": _click,
        "my_chat_member": _membership,
        "message_reaction": _reaction,
    }
)


def _said(message: Json, us: Us) -> Said:
    """Return the words of a message: its text, its caption, or a line about what it shows."""
    text = a_string(message, "text")
    if text:
        return hear(text, objects(message, "entities"), us)
    caption = a_string(message, "caption")
    if caption:
        return hear(caption, objects(message, "caption_entities"), us)
    return Said(text=rich_text(message) or description(message))


def _quoted(arrived: _Arrived, message: Json, replied: Json | None) -> Quoted | None:
    quote = an_object(message, "quote")
    excerpt = a_string(quote, "text") if quote is not None else ""
    if replied is None:
        return Quoted(message_id="", text=excerpt) if excerpt else None
    # Every message of a topic replies, for the platform, to the notice that opened the topic.
    if replied.get("forum_topic_created") is not None:
        return None
    author = _author(arrived, replied)
    return Quoted(
        message_id=str(the_integer(replied, "message_id")),
        author=author.name,
        text=excerpt or _said(replied, arrived.us).text,
        from_us=author.is_us,
    )


def _author(arrived: _Arrived, message: Json) -> Author:
    """Return who speaks. A chat may speak too: a channel, or an administrator who stays anonymous."""
    sender_chat = an_object(message, "sender_chat")
    if sender_chat is not None:
        return _chat_author(sender_chat)
    user = an_object(message, "from")
    return arrived.author(user) if user is not None else _chat_author(the_object(message, "chat"))


def _chat_author(chat: Json) -> Author:
    return Author(id=str(the_integer(chat, "id")), name=a_string(chat, "title") or a_string(chat, "username"))


def _topic(message: Json) -> str:
    """Return the forum topic. Replies outside of forums carry a thread id too, so only the flag decides."""
    thread_id = an_integer(message, "message_thread_id")
    if thread_id is None or thread_id == _GENERAL_TOPIC or not a_flag(message, "is_topic_message"):
        return ""
    return str(thread_id)


def _title(chat: Json, topic: str, replied: Json | None) -> str:
    opened = an_object(replied, "forum_topic_created") if topic and replied is not None else None
    name = a_string(opened, "name") if opened is not None else ""
    return name or a_string(chat, "title")


def _is_direct(chat: Json) -> bool:
    return a_string(chat, "type") == "private"
