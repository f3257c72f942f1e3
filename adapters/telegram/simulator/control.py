"""Control: what the page and programs in other languages tell the simulator, as `POST /sim/<verb>` with JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters._shared.simulator.bodies import Body, Upload
from adapters._shared.simulator.people import Person
from adapters.telegram.simulator import texts
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.simulator.chats import Chats
from adapters.telegram.simulator.faults import Faults
from adapters.telegram.simulator.membership import Membership
from adapters.telegram.simulator.message import Json, Message
from adapters.telegram.simulator.state import State
from adapters.telegram.simulator.view import message_view

_FAULTS = ("delay", "server_error", "drop", "lose_answer", "too_fast", "cannot_parse", "refuse")
_FAULT_OPTIONS = ("seconds", "status", "retry_after", "refusal", "nth", "times", "chat")


class Misunderstood(Exception):
    """A request names something that does not exist, or lacks something."""


class Asked:
    """The fields of one request."""

    def __init__(self, body: Body, state: State, chats: Chats) -> None:
        self._body = body
        self._state = state
        self._chats = chats

    def get(self, name: str, default: Any = None) -> Any:
        value = self._body.fields.get(name)
        return default if value in (None, "") else value

    def need(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise Misunderstood(texts.missing(name))
        return str(value)

    def integer(self, name: str, default: int | None = None) -> int | None:
        value = self.get(name)
        try:
            return default if value is None else int(value)
        except (TypeError, ValueError):
            raise Misunderstood(texts.missing(name)) from None

    def names(self, name: str) -> list[str]:
        value = self.get(name, [])
        return [str(item) for item in value] if isinstance(value, list) else []

    @property
    def chat(self) -> Chat:
        found = self._chats.by_key(self.need("chat"))
        if found is None:
            raise Misunderstood(texts.NO_SUCH_CHAT)
        return found

    @property
    def person(self) -> Person:
        """Who acts; in a private chat it need not be said."""
        if self.get("person") is None and self.get("chat") is not None and self.chat.person is not None:
            return self.chat.person
        name = self.need("person")
        found = next((person for person in self._state.people.all if person.name == name), None)
        if found is None:
            raise Misunderstood(texts.NO_SUCH_PERSON)
        return found

    @property
    def message(self) -> Message:
        found = self.chat.messages.get(self.integer("message") or 0)
        if found is None:
            raise Misunderstood(texts.NO_SUCH_MESSAGE)
        return found

    @property
    def options(self) -> dict[str, Any]:
        """Reply and topic of something that is said."""
        reply, topic = self.integer("reply_to"), self.integer("topic")
        if reply is not None and reply not in self.chat.messages:
            raise Misunderstood(texts.NO_SUCH_MESSAGE)
        if topic is not None and topic != 1 and topic not in self.chat.topics:
            raise Misunderstood(texts.NO_SUCH_TOPIC)
        return {"reply_to": reply, "topic": topic}

    @property
    def uploads(self) -> list[Upload]:
        found = list(self._body.uploads.values())
        if not found:
            raise Misunderstood(texts.missing("file"))
        return found


Verb = Callable[[Asked], Json]


class Control:
    """The verbs."""

    def __init__(self, state: State, chats: Chats, membership: Membership, faults: Faults) -> None:
        self._state = state
        self._chats = chats
        self._membership = membership
        self._faults = faults
        self._verbs: dict[str, Verb] = {
            "person": self._person,
            "private": self._private,
            "group": self._group,
            "topic": self._topic,
            "say": self._say,
            "photo": self._photo,
            "document": self._document,
            "album": self._album,
            "edit": self._edit,
            "delete": self._delete,
            "click": self._click,
            "react": self._react,
            "member": self._member,
            "fault": self._fault,
            "calm": self._calm,
            "updates": self._updates,
            "settings": self._settings,
        }

    def do(self, verb: str, body: Body) -> Json:
        """Do one thing; raises `Misunderstood`, or what the platform itself answers."""
        done = self._verbs.get(verb)
        if done is None:
            raise Misunderstood(texts.NO_SUCH_VERB)
        return done(Asked(body, self._state, self._chats))

    # --- people and chats --------------------------------------------------------------------------------

    def _person(self, asked: Asked) -> Json:
        person = self._state.people.person(asked.need("name"), handle=asked.get("handle"))
        self._state.live.tell({"kind": "chats"})
        return {"id": person.id, "name": person.name, "handle": person.handle}

    def _private(self, asked: Asked) -> Json:
        person = self._state.people.person(asked.need("person"))
        return {"chat": self._chats.private(person, self._state.primary).key}

    def _group(self, asked: Asked) -> Json:
        """`kind` is `group`, `supergroup`, `forum` or `channel`."""
        kind = str(asked.get("kind", "group"))
        if kind not in ("group", "supergroup", "forum", "channel"):
            raise Misunderstood(texts.missing("kind"))
        people = [self._state.people.person(name) for name in asked.names("people")]
        if not people and kind != "channel":
            raise Misunderstood(texts.missing("people"))
        chat = self._chats.group(
            asked.need("title"),
            people,
            kind="supergroup" if kind == "forum" else kind,
            is_forum=kind == "forum",
            bot=self._state.primary,
        )
        return {"chat": chat.key}

    def _topic(self, asked: Asked) -> Json:
        if not asked.chat.is_forum:
            raise Misunderstood(texts.NO_SUCH_TOPIC)
        return {"topic": asked.chat.add_topic(asked.need("name")).id}

    def _member(self, asked: Asked) -> Json:
        """`change` is `block`, `unblock`, `kick`, `add` or `migrate`."""
        chat, change = asked.chat, asked.need("change")
        if change == "migrate" and chat.kind == "group" and chat.migrated_to is None:
            return {"chat": self._membership.migrate(chat).key}
        if change in ("block", "unblock") and chat.kind == "private" and chat.blocked == (change == "unblock"):
            (self._membership.block if change == "block" else self._membership.unblock)(chat)
        elif change in ("kick", "add") and chat.is_group and bool(chat.bots) == (change == "kick"):
            (self._membership.kick if change == "kick" else self._membership.add)(chat, self._state.primary)
        else:
            raise Misunderstood(texts.NO_SUCH_VERB)
        self._state.live.tell({"kind": "chats"})
        return {}

    # --- messages ----------------------------------------------------------------------------------------

    def _say(self, asked: Asked) -> Json:
        if asked.chat.kind == "channel":
            return message_view(asked.chat.post(asked.need("text")))
        return message_view(asked.chat.say(asked.person, asked.need("text"), **asked.options))

    def _photo(self, asked: Asked) -> Json:
        data = asked.uploads[0].data
        return message_view(asked.chat.send_photo(asked.person, data, str(asked.get("caption", "")), **asked.options))

    def _document(self, asked: Asked) -> Json:
        return message_view(
            asked.chat.send_document(asked.person, asked.uploads[0], str(asked.get("caption", "")), **asked.options)
        )

    def _album(self, asked: Asked) -> Json:
        caption = str(asked.get("caption", ""))
        pictures = [(upload.data, "" if number else caption) for number, upload in enumerate(asked.uploads)]
        return {"messages": [message_view(sent) for sent in asked.chat.send_album(asked.person, pictures)]}

    def _edit(self, asked: Asked) -> Json:
        asked.chat.edit(asked.message, asked.need("text"))
        return message_view(asked.message)

    def _delete(self, asked: Asked) -> Json:
        asked.chat.delete(asked.message)
        return {}

    def _click(self, asked: Asked) -> Json:
        return {"press": asked.chat.click(asked.person, asked.message, asked.need("label")).id}

    def _react(self, asked: Asked) -> Json:
        asked.chat.react(asked.person, asked.message, str(asked.get("emoji", "")))
        return {}

    # --- what goes wrong -----------------------------------------------------------------------------------

    def _fault(self, asked: Asked) -> Json:
        kind = asked.need("kind")
        if kind not in _FAULTS:
            raise Misunderstood(texts.missing("kind"))
        options = {name: asked.get(name) for name in _FAULT_OPTIONS if asked.get(name) is not None}
        try:
            getattr(self._faults, kind)(str(asked.get("method", "")), **options)
        except TypeError as error:
            raise Misunderstood(str(error)) from error
        return {}

    def _calm(self, asked: Asked) -> Json:
        self._faults.clear()
        return {}

    def _updates(self, asked: Asked) -> Json:
        """`change` is `redeliver` (`last`), `hold`, `release` (`reverse`) or `disconnect`."""
        queue, change = self._state.primary.updates, asked.need("change")
        if change == "redeliver":
            queue.redeliver(asked.integer("last", 1) or 1)
        elif change == "hold":
            queue.hold()
        elif change == "release":
            queue.release(reverse=bool(asked.get("reverse", False)))
        elif change == "disconnect":
            return {"was_polled": queue.disconnect()}
        else:
            raise Misunderstood(texts.NO_SUCH_VERB)
        return {}

    def _settings(self, asked: Asked) -> Json:
        """`rate_limits` and `privacy` can be switched."""
        if asked.get("rate_limits") is not None:
            self._state.limiter.enabled = bool(asked.get("rate_limits"))
        if asked.get("privacy") is not None:
            self._state.primary.privacy = bool(asked.get("privacy"))
        return {"rate_limits": self._state.limiter.enabled, "privacy": self._state.primary.privacy}
