"""Message: what stands in a chat, and the JSON that bots get of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapters._shared.simulator.people import Person
from adapters.telegram.simulator.entities import Styled
from adapters.telegram.simulator.files import Photo, StoredFile

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """What a message holds; an edit replaces it."""

    styled: Styled = field(default_factory=lambda: Styled(text=""))
    """The text, or the caption where there is media."""
    photo: Photo | None = None
    document: StoredFile | None = None

    @property
    def has_media(self) -> bool:
        return self.photo is not None or self.document is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Quote:
    """The part of a message that is quoted in a reply."""

    text: str
    position: int


@dataclass(slots=True)
class Message:
    """One message."""

    id: int
    chat: Json
    """The chat as JSON, shared by its messages."""
    date: int
    content: Content
    sender: Json | None = None
    sender_chat: Json | None = None
    person: Person | None = None
    bot_id: int | None = None
    """Which bot sent it; None: a person did, or it is a note of the server."""
    reply_to: Message | None = None
    quote: Quote | None = None
    thread_id: int | None = None
    is_topic: bool = False
    markup: Json | None = None
    group: str = ""
    service: Json | None = None
    """What a note of the server says, such as a new topic."""
    extra: Json = field(default_factory=dict)
    """Further fields of the JSON."""
    edit_date: int | None = None
    edits: list[Content] = field(default_factory=list)
    """What it held before, oldest first."""
    reactions: dict[int, str] = field(default_factory=dict)
    """Emoji by the id of who reacted."""
    gone: bool = False

    @property
    def text(self) -> str:
        """What can be read in it."""
        return self.content.styled.text

    @property
    def buttons(self) -> tuple[str, ...]:
        """Labels of the buttons under it."""
        rows = self.markup["inline_keyboard"] if self.markup else []
        return tuple(button["text"] for row in rows for button in row)

    def to_json(self, *, nested: bool = False) -> Json:
        """Return it as the server sends it; a message that is replied to comes without its own."""
        body: Json = {"message_id": self.id, "date": self.date, "chat": self.chat}
        if self.sender is not None:
            body["from"] = self.sender
        if self.sender_chat is not None:
            body["sender_chat"] = self.sender_chat
        self._add_place(body, nested)
        self._add_content(body)
        if self.edit_date is not None:
            body["edit_date"] = self.edit_date
        if self.group:
            body["media_group_id"] = self.group
        if self.markup is not None:
            body["reply_markup"] = self.markup
        if self.service is not None:
            body.update(self.service)
        if self.extra:
            body.update(self.extra)
        return body

    def _add_place(self, body: Json, nested: bool) -> None:
        if self.thread_id is not None:
            body["message_thread_id"] = self.thread_id
        if self.is_topic:
            body["is_topic_message"] = True
        if self.reply_to is not None and not nested:
            body["reply_to_message"] = self.reply_to.to_json(nested=True)
        if self.quote is not None and not nested:
            body["quote"] = {"text": self.quote.text, "position": self.quote.position, "is_manual": True}

    def _add_content(self, body: Json) -> None:
        content = self.content
        name, entities = ("caption", "caption_entities") if content.has_media else ("text", "entities")
        if content.styled.text:
            body[name] = content.styled.text
        if content.styled.entities:
            body[entities] = list(content.styled.entities)
        if content.photo is not None:
            body["photo"] = [size.to_json() for size in content.photo.sizes]
        if content.document is not None:
            body["document"] = document_json(content.document)


def document_json(file: StoredFile) -> Json:
    return {
        "file_id": file.id,
        "file_unique_id": file.unique_id,
        "file_name": file.name,
        "mime_type": file.media_type,
        "file_size": file.size,
    }
