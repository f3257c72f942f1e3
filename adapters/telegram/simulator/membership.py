"""Membership: who comes, goes, blocks, and how a group becomes a supergroup."""

from __future__ import annotations

from typing import Any

from adapters._shared.simulator.people import Person
from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.simulator.chats import Chats
from adapters.telegram.simulator.state import State


class Membership:
    """Changes who is where, and tells the bots as the server does."""

    def __init__(self, state: State, chats: Chats) -> None:
        self._state = state
        self._chats = chats

    def block(self, chat: Chat) -> None:
        """The person of a private chat blocks the bot."""
        chat.blocked = True
        self._tell(chat, chat.bots[0], chat.people[0], "member", "kicked")

    def unblock(self, chat: Chat) -> None:
        chat.blocked = False
        self._tell(chat, chat.bots[0], chat.people[0], "kicked", "member")

    def kick(self, chat: Chat, bot: Bot, by: Person | None = None) -> None:
        """Remove a bot from a group."""
        chat.bots.remove(bot)
        chat.removed.append(bot)
        self._tell(chat, bot, by or chat.people[0], "member", "kicked")

    def add(self, chat: Chat, bot: Bot, by: Person | None = None) -> None:
        """Add a bot to a group."""
        before = "kicked" if bot in chat.removed else "left"
        if bot in chat.removed:
            chat.removed.remove(bot)
        chat.bots.append(bot)
        inviter = by or chat.people[0]
        self._tell(chat, bot, inviter, before, "member")
        chat.announce(chat.note({"new_chat_members": [bot.to_json()]}, inviter))

    def migrate(self, chat: Chat) -> Chat:
        """Make a supergroup of a group: a new chat with a new id; the old one takes nothing more."""
        successor = self._chats.group(chat.title, chat.people, kind="supergroup", is_forum=False, bot=chat.bots[0])
        successor.bots[:] = chat.bots
        by = chat.people[0]
        chat.announce(chat.note({"migrate_to_chat_id": successor.id}, by))
        successor.announce(successor.note({"migrate_from_chat_id": chat.id}, by))
        chat.migrated_to = successor.id
        return successor

    def _tell(self, chat: Chat, bot: Bot, by: Person, before: str, after: str) -> None:
        bot.updates.push(
            "my_chat_member",
            {
                "chat": chat.to_json(),
                "from": self._state.user_json(by),
                "date": self._state.now(),
                "old_chat_member": member_json(bot.to_json(), before),
                "new_chat_member": member_json(bot.to_json(), after),
            },
        )
        self._state.changed.notify()


def member_json(user: dict[str, Any], status: str) -> dict[str, Any]:
    """https://core.telegram.org/bots/api#chatmember"""
    body: dict[str, Any] = {"status": status, "user": user}
    if status == "kicked":
        body["until_date"] = 0
    if status == "creator":
        body["is_anonymous"] = False
    return body
