"""Chat: one chat, what stands in it, and what people do there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters._shared.simulator.bodies import Upload
from adapters._shared.simulator.people import Person
from adapters._shared.simulator.shown import Shown
from adapters._shared.simulator.signal import Signal
from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.entities import Entity, Styled, covered, detect, trim
from adapters.telegram.simulator.message import Content, Json, Message, Quote
from adapters.telegram.simulator.place import Place, Topic, place_of
from adapters.telegram.simulator.presses import Press
from adapters.telegram.simulator.rendered import html_of
from adapters.telegram.simulator.state import State

# The accounts in whose name anonymous administrators and channels speak, for clients that know users only.
ANONYMOUS: Json = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL_VOICE: Json = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """An answer that is still growing, as the person sees it."""

    styled: Styled
    until: float


class Chat:
    """A private chat, a group, a supergroup, a forum or a channel."""

    def __init__(
        self, state: State, *, id: int, kind: str, title: str = "", person: Person | None = None, is_forum: bool = False
    ) -> None:
        self._state = state
        self.id = id
        self.kind = kind
        """`private`, `group`, `supergroup` or `channel`."""
        self.title = title
        self.person = person
        """Whose private chat it is."""
        self.is_forum = is_forum
        self.handle = ""
        self.people: list[Person] = [person] if person else []
        self.bots: list[Bot] = []
        """The bots that are here now."""
        self.removed: list[Bot] = []
        """Bots that were here and were removed."""
        self.blocked = False
        self.migrated_to: int | None = None
        self.messages: dict[int, Message] = {}
        """By id, oldest first; deleted ones are gone from here."""
        self.topics: dict[int, Topic] = {}
        self.drafts: dict[int, Draft] = {}
        self.acting_until = 0.0
        """Until when it shows that the bot is busy."""
        self.action = ""
        # The first message of a supergroup is the note of its creation, which bots are not sent.
        self._last_id = 1 if kind == "supergroup" else 0
        self._albums = 0

    # --- what it is ------------------------------------------------------------------------------------

    @property
    def key(self) -> str:
        """Its name among all chats of the simulator."""
        if self.kind != "private" or self._state.primary in self.bots:
            return str(self.id)
        return f"{self.id}@{self.bots[0].id}"

    @property
    def changed(self) -> Signal:
        return self._state.changed

    @property
    def is_group(self) -> bool:
        return self.kind != "private"

    def to_json(self) -> Json:
        """https://core.telegram.org/bots/api#chat"""
        body: Json = {"id": self.id, "type": self.kind}
        if self.person is not None:
            body["first_name"] = self.person.name
            if self.person.handle:
                body["username"] = self.person.handle
            return body
        body["title"] = self.title
        if self.handle:
            body["username"] = self.handle
        if self.is_forum:
            body["is_forum"] = True
        return body

    # --- what people do ----------------------------------------------------------------------------------

    def say(
        self,
        person: Person,
        text: str,
        *,
        reply_to: Message | int | None = None,
        topic: Topic | int | None = None,
        entities: Sequence[Entity] = (),
        quote: str = "",
    ) -> Message:
        """Say something as a person. `topic=1` says it in a forum's General as some clients do, with a thread id."""
        content = Content(styled=detect(trim(Styled(text=text, entities=tuple(entities)))))
        return self._from_person(person, content, self._place(topic, reply_to), quote=quote)

    def say_as_chat(self, text: str, *, bare: bool = False, channel: Chat | None = None) -> Message:
        """Say something as an anonymous administrator, or in the name of a channel; `bare` leaves the stand-in out."""
        voice = CHANNEL_VOICE if channel is not None else ANONYMOUS
        message = self._new(Content(styled=detect(trim(Styled(text=text)))), self._place(None, None))
        message.sender_chat = (channel or self).to_json()
        message.sender = None if bare else voice
        return self._publish("message", message)

    def post(self, text: str) -> Message:
        """Post into a channel."""
        message = self._new(Content(styled=detect(trim(Styled(text=text)))), Place())
        message.sender_chat = self.to_json()
        return self._publish("channel_post", message)

    def send_photo(
        self,
        person: Person,
        data: bytes,
        caption: str = "",
        *,
        group: str = "",
        reply_to: Message | int | None = None,
        topic: Topic | int | None = None,
    ) -> Message:
        """Send a picture; `group` makes it part of an album."""
        photo = self._state.files.photo(Upload(name="photo.jpg", data=data, media_type="image/jpeg"))
        content = Content(styled=detect(Styled(text=caption)), photo=photo)
        return self._from_person(person, content, self._place(topic, reply_to), group=group)

    def send_document(
        self,
        person: Person,
        upload: Upload,
        caption: str = "",
        *,
        size: int | None = None,
        group: str = "",
        reply_to: Message | int | None = None,
        topic: Topic | int | None = None,
    ) -> Message:
        """Send a file; `size` pretends another size than its bytes have."""
        file = self._state.files.document(upload, size=size)
        content = Content(styled=detect(Styled(text=caption)), document=file)
        return self._from_person(person, content, self._place(topic, reply_to), group=group)

    def send_album(self, person: Person, pictures: Sequence[tuple[bytes, str]]) -> list[Message]:
        """Send pictures, each with its caption, as one album: as many updates as pictures."""
        group = self.new_album()
        return [self.send_photo(person, data, caption, group=group) for data, caption in pictures]

    def new_album(self) -> str:
        """Return an id for the messages of one album."""
        self._albums += 1
        return str(13_000_000_000_000_000 + abs(self.id) % 10_000_000 * 1000 + self._albums)

    def edit(self, message: Message, text: str) -> None:
        """Change a person's message, or a channel's post."""
        self.replace(message, replace(message.content, styled=detect(trim(Styled(text=text)))), message.markup)
        self._publish("edited_channel_post" if self.kind == "channel" else "edited_message", message)

    def delete(self, message: Message) -> None:
        """Take a message away. Bots are not told."""
        message.gone = True
        self.messages.pop(message.id, None)
        self.touch(message)

    def click(self, person: Person, message: Message, label: str) -> Press:
        """Press a button under a message; raises `LookupError` when there is none of this label."""
        button = self._button(message, label)
        bot = self._bot_of(message)
        press = self._state.presses.add(
            person=person, message=message, data=button.get("callback_data", ""), bot_id=bot.id
        )
        if "callback_data" in button:
            bot.updates.push(
                "callback_query",
                {
                    "id": press.id,
                    "from": self._state.user_json(person),
                    "message": message.to_json(),
                    "chat_instance": str(-3_000_000_000_000_000_000 - abs(self.id)),
                    "data": press.data,
                },
            )
        return press

    def react(self, person: Person, message: Message, emoji: str) -> None:
        """Put a reaction under a message, or take it away with an empty emoji."""
        old = message.reactions.pop(person.id, "")
        if emoji:
            message.reactions[person.id] = emoji
        body = {
            "chat": self.to_json(),
            "message_id": message.id,
            "user": self._state.user_json(person),
            "date": self._state.now(),
            "old_reaction": _reactions(old),
            "new_reaction": _reactions(emoji),
        }
        for bot in self.bots:
            bot.updates.push("message_reaction", body)
        self.touch(message)

    def add_topic(self, name: str, person: Person | None = None) -> Topic:
        """Open a topic of a forum; its note is the root of its messages."""
        note = self.note({"forum_topic_created": {"name": name, "icon_color": 7322096}}, person or self.people[0])
        topic = Topic(id=note.id, name=name, root=note)
        self.topics[topic.id] = topic
        note.thread_id, note.is_topic = topic.id, True
        self._publish("message", note)
        return topic

    # --- what a test sees: a `Scene` ---------------------------------------------------------------------

    def speak(self, person: Person, text: str, *, reply_to: str = "") -> str:
        return str(self.say(person, text, reply_to=int(reply_to) if reply_to else None).id)

    def shown(self) -> tuple[Shown, ...]:
        return tuple(_shown(message) for message in self.messages.values() if message.bot_id is not None)

    def press(self, person: Person, message_id: str, label: str) -> str:
        return self.click(person, self.messages[int(message_id)], label).id

    def notice(self, press_id: str) -> str | None:
        press = self._state.presses.get(press_id)
        return press.answer.text if press is not None and press.answer is not None else None

    # --- what calls do -----------------------------------------------------------------------------------

    def add_from_bot(
        self, bot: Bot, content: Content, place: Place, *, markup: Json | None = None, **fields: Any
    ) -> Message:
        """Keep what a bot sends; other bots do not hear of it."""
        message = self._new(content, place)
        message.sender = bot.to_json()
        message.bot_id = bot.id
        message.markup = markup
        if self.kind == "channel":
            message.sender, message.sender_chat = None, self.to_json()
        for name, value in fields.items():
            setattr(message, name, value)
        self.drafts.pop(bot.id, None)
        self.acting_until = 0.0
        return self.touch(message)

    def replace(self, message: Message, content: Content, markup: Json | None) -> None:
        """Edit a message and remember what it held."""
        if content != message.content:
            message.edits.append(message.content)
            message.edit_date = self._state.now()
        message.content = content
        message.markup = markup
        self.touch(message)

    def note(self, service: Json, person: Person) -> Message:
        """Add a note of the server without telling the bots."""
        message = self._new(Content(), Place())
        message.service = service
        message.sender = self._state.user_json(person)
        return self.touch(message)

    def announce(self, message: Message) -> None:
        """Tell the bots of a message that stands already."""
        self._publish("message", message)

    def touch(self, message: Message) -> Message:
        """Tell whoever looks that a message is new or changed."""
        self.touch_all()
        return message

    def touch_all(self) -> None:
        """Tell whoever looks that something of the chat, not of a message, is new."""
        self._state.changed.notify()
        if self._state.live.watched:
            self._state.live.tell({"kind": "chat", "chat": self.key})

    # --- inside ----------------------------------------------------------------------------------------

    def _place(self, topic: Topic | int | None, reply_to: Message | int | None) -> Place:
        thread = topic.id if isinstance(topic, Topic) else topic
        reply = self.messages[reply_to] if isinstance(reply_to, int) else reply_to
        return place_of(thread, reply, topics=self.topics, is_forum=self.is_forum, kind=self.kind)

    def _new(self, content: Content, place: Place) -> Message:
        self._last_id += 1
        message = Message(
            id=self._last_id,
            chat=self.to_json(),
            date=self._state.now(),
            content=content,
            reply_to=place.reply_to,
            thread_id=place.thread_id,
            is_topic=place.is_topic,
        )
        self.messages[message.id] = message
        return message

    def _from_person(
        self, person: Person, content: Content, place: Place, *, group: str = "", quote: str = ""
    ) -> Message:
        if self.is_group and person not in self.people:
            self.people.append(person)
        message = self._new(content, place)
        message.person = person
        message.sender = self._state.user_json(person)
        message.group = group
        if quote and place.reply_to is not None:
            message.quote = Quote(text=quote, position=max(0, place.reply_to.text.find(quote)))
        return self._publish("message", message)

    def _publish(self, kind: str, message: Message) -> Message:
        if not self.blocked:
            body = message.to_json()
            for bot in self.bots:
                if self._hears(bot, message):
                    bot.updates.push(kind, body)
        return self.touch(message)

    def _hears(self, bot: Bot, message: Message) -> bool:
        """Privacy mode: commands, mentions, replies to the bot and notes of the server reach it, nothing else."""
        if not bot.privacy or self.kind in ("private", "channel") or message.service is not None:
            return True
        if message.reply_to is not None and message.reply_to.bot_id == bot.id:
            return True
        styled = message.content.styled
        name = f"@{bot.username.lower()}"
        for entity in styled.entities:
            said = covered(styled, entity).lower()
            if entity["type"] == "bot_command" and ("@" not in said or said.endswith(name)):
                return True
            if entity["type"] == "mention" and said == name:
                return True
            if entity["type"] == "text_mention" and entity["user"]["id"] == bot.id:
                return True
        return False

    def _button(self, message: Message, label: str) -> Json:
        rows = message.markup["inline_keyboard"] if message.markup and not message.gone else []
        for row in rows:
            for button in row:
                if button["text"] == label:
                    found: Json = button
                    return found
        raise LookupError(f"no button {label!r} under message {message.id}, only {list(message.buttons)}")

    def _bot_of(self, message: Message) -> Bot:
        return next(bot for bot in (*self.bots, *self.removed) if bot.id == message.bot_id)


def _shown(message: Message) -> Shown:
    content = message.content
    files = [content.document.name] if content.document else []
    if content.photo is not None:
        files.append(content.photo.largest.name)
    return Shown(
        id=str(message.id),
        text=message.text,
        markup=html_of(content.styled),
        buttons=message.buttons,
        files=tuple(files),
        edits=tuple(edit.styled.text for edit in message.edits),
        reply_to=str(message.reply_to.id) if message.reply_to else "",
    )


def _reactions(emoji: str) -> list[Json]:
    return [{"type": "emoji", "emoji": emoji}] if emoji else []
