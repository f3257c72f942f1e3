"""What the page asks of the world: `ports["pages"]` and `ports["admission"]` of the toolkit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from bot.people import Person
from bot.transcript import Conversation, Filling, History, Message, Moment, Session, Since, StoredFile, Window, Writing


class Transcript(Protocol):
    """Conversations and their messages. Each verb is one transaction and may raise `StorageBusy`."""

    async def say(self, writing: Writing) -> Message:
        """Write what a person said, once a key. Raises `NotAllowed` when the conversation is somebody else's."""
        ...

    async def post(self, writing: Writing) -> Message | None:
        """Write what the bot posts, once a key; None when there is no such conversation."""
        ...

    async def fill(self, filling: Filling) -> Message | None:
        """Make a message of the bot show this body, or take it back; None when it is no more."""
        ...

    async def taken(self, ids: Sequence[int]) -> None:
        """Note that intake has taken these messages."""
        ...

    async def waiting(self, conversation: str | None) -> Sequence[Message]:
        """Return what intake has not taken yet, in order: of one conversation, or of all."""
        ...

    async def message(self, conversation: str, message_id: int) -> Message | None: ...

    async def find(self, conversation: str, key: str) -> int | None: ...

    async def changes_since(self, since: Since) -> Sequence[Message]:
        """Return the messages that changed after a change, in order; removed ones too."""
        ...

    async def history(self, window: Window) -> History: ...

    async def conversation(self, conversation: str) -> Conversation | None: ...

    async def conversations(self, account: str) -> Sequence[Conversation]: ...

    async def newest_changes(self, conversations: Sequence[str]) -> Mapping[str, int]: ...


class Files(Protocol):
    """What is known of files whose bytes lie on disk."""

    async def keep_file(self, file: StoredFile) -> None: ...

    async def file(self, file_id: str) -> StoredFile | None: ...

    async def forget_files(self, before: datetime) -> Sequence[str]:
        """Forget files that no message carries since before a time; return their ids."""
        ...


class Sessions(Protocol):
    """Browsers that are signed in."""

    async def sign_in(self, session: Session) -> None: ...

    async def session(self, moment: Moment) -> Session | None: ...

    async def sign_out(self, moment: Moment) -> None: ...


class Pages(Transcript, Files, Sessions, Protocol):
    """Everything that the page stores."""


class Admission(Protocol):
    """Who may come in."""

    async def redeem(self, code: str, name: str) -> Person | None:
        """Use a one-time code up; None when it is wrong, used or too old."""
        ...

    async def person(self, account: str) -> Person | None:
        """Return the person behind an account of the page."""
        ...
