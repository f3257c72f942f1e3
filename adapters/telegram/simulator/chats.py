"""Chats: all of them, and how a call finds the one that it names."""

from __future__ import annotations

from collections.abc import Iterable

from adapters._shared.simulator.people import Person
from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.simulator.refusals import bad, forbidden, migrated
from adapters.telegram.simulator.state import State

FIRST_GROUP = -2001
FIRST_SUPERGROUP = -1_001_234_500_001


class Chats:
    """Every chat of the simulator."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._groups: dict[int, Chat] = {}
        self._private: dict[tuple[Bot, int], Chat] = {}
        self._next_group = FIRST_GROUP
        self._next_supergroup = FIRST_SUPERGROUP

    @property
    def all(self) -> list[Chat]:
        return [*self._private.values(), *self._groups.values()]

    def by_key(self, key: str) -> Chat | None:
        return next((chat for chat in self.all if chat.key == key), None)

    def private(self, person: Person, bot: Bot) -> Chat:
        """Return a person's chat with a bot; they have started it."""
        found = self._private.get((bot, person.id))
        if found is None:
            found = Chat(self._state, id=person.id, kind="private", person=person)
            found.bots.append(bot)
            self._private[bot, person.id] = found
            self._tell()
        return found

    def group(self, title: str, people: Iterable[Person], *, kind: str, is_forum: bool, bot: Bot) -> Chat:
        """Make a group, supergroup or channel in which a bot is."""
        chat = Chat(self._state, id=self._take_id(kind), kind=kind, title=title, is_forum=is_forum)
        chat.people.extend(people)
        chat.bots.append(bot)
        self._groups[chat.id] = chat
        self._tell()
        return chat

    def _take_id(self, kind: str) -> int:
        if kind == "group":
            taken, self._next_group = self._next_group, self._next_group - 1
        else:
            taken, self._next_supergroup = self._next_supergroup, self._next_supergroup - 1
        return taken

    def _tell(self) -> None:
        self._state.changed.notify()
        self._state.live.tell({"kind": "chats"})

    # --- for calls ---------------------------------------------------------------------------------------

    def find(self, bot: Bot, chat_id: int | str) -> Chat:
        """Return the chat that a call names; raises `chat not found`."""
        found = self._by_name(chat_id) if isinstance(chat_id, str) else self._groups.get(chat_id)
        if found is None and isinstance(chat_id, int):
            found = self._private.get((bot, chat_id))
        if found is None or (bot not in found.bots and bot not in found.removed):
            raise bad("chat not found")
        return found

    def _by_name(self, name: str) -> Chat | None:
        wanted = name.removeprefix("@").lower()
        return next((chat for chat in self._groups.values() if chat.handle and chat.handle.lower() == wanted), None)

    def open(self, bot: Bot, chat_id: int | str) -> Chat:
        """Return a chat that the bot may send into; raises what the server answers otherwise."""
        chat = self.find(bot, chat_id)
        if chat.migrated_to is not None:
            raise migrated(chat.migrated_to)
        if chat.blocked:
            raise forbidden("bot was blocked by the user")
        if bot not in chat.bots:
            raise forbidden(f"bot was kicked from the {chat.kind} chat")
        return chat
