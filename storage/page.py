"""Pages: the transcript of a page of ours, its files and its sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.errors import NotAllowed
from bot.transcript import (
    Conversation,
    Filling,
    History,
    Message,
    Moment,
    Session,
    Side,
    Since,
    StoredFile,
    Window,
    Writing,
)
from storage.database import Both, Database
from storage.page_tables import PAGE_CONVERSATION, PAGE_FILE, PAGE_MESSAGE, PAGE_SESSION

LISTED = 200
"""How many conversations a list shows, the newest."""

_b = sa.bindparam

_OPEN = Both(
    lambda insert: (
        insert(PAGE_CONVERSATION)
        .values(id=_b("id"), account=_b("account"), title="", change=0, changed_at=_b("now"))
        .on_conflict_do_nothing()
    )
)
_KEEP = Both(
    lambda insert: (
        insert(PAGE_FILE)
        .values(
            id=_b("id"),
            account=_b("account"),
            name=_b("name"),
            media_type=_b("media_type"),
            size=_b("size"),
            at=_b("at"),
            attached=False,
        )
        .on_conflict_do_nothing()
    )
)
_LOCK = (
    sa.select(PAGE_CONVERSATION.c.account, PAGE_CONVERSATION.c.title, PAGE_CONVERSATION.c.change)
    .where(PAGE_CONVERSATION.c.id == _b("id"))
    .with_for_update()
)
_MESSAGES = sa.select(PAGE_MESSAGE, PAGE_CONVERSATION.c.account, PAGE_CONVERSATION.c.title).join(
    PAGE_CONVERSATION, PAGE_CONVERSATION.c.id == PAGE_MESSAGE.c.conversation
)
_BY_KEY = _MESSAGES.where(PAGE_MESSAGE.c.conversation == _b("conversation"), PAGE_MESSAGE.c.key == _b("key"))
_BY_ID = _MESSAGES.where(PAGE_MESSAGE.c.conversation == _b("conversation"), PAGE_MESSAGE.c.id == _b("id"))
_WAITING = _MESSAGES.where(PAGE_MESSAGE.c.waiting.is_(True)).order_by(PAGE_MESSAGE.c.id)


# --- the transcript -----------------------------------------------------------------------------------


def page_say(connection: sa.Connection, writing: Writing) -> Message:
    """Write what a person said, once a key; the conversation is opened where it is new.

    Raises `NotAllowed` when the conversation is somebody else's.
    """
    connection.execute(
        _OPEN.of(connection), {"id": writing.conversation, "account": writing.account, "now": writing.now}
    )
    owner = connection.execute(_LOCK, {"id": writing.conversation}).one()
    if owner.account != writing.account:
        raise NotAllowed("the conversation belongs to somebody else")
    known = _by_key(connection, writing)
    if known is not None:
        return known
    _attach(connection, writing.account, writing.files)
    return _insert(connection, writing, Side.PERSON)


def page_post(connection: sa.Connection, writing: Writing) -> Message | None:
    """Write what the bot posts, once a key; None when there is no such conversation."""
    if connection.execute(_LOCK, {"id": writing.conversation}).first() is None:
        return None
    known = _by_key(connection, writing)
    _attach(connection, writing.account, writing.files)
    if known is None:
        return _insert(connection, writing, Side.BOT)
    if not known.removed and (writing.placeholder or known.body == writing.body):
        return known
    return _rewrite(connection, known, writing.body, writing.now)


def page_fill(connection: sa.Connection, filling: Filling) -> Message | None:
    """Make a message of the bot show this body, or take it back; None when it is no more."""
    connection.execute(_LOCK, {"id": filling.conversation}).first()
    known = page_message(connection, (filling.conversation, filling.message_id))
    if known is None or known.side is not Side.BOT or known.removed:
        return None
    if filling.body is not None and known.body == filling.body:
        return known
    _attach(connection, filling.account, filling.files)
    return _rewrite(connection, known, filling.body, filling.now)


def page_message(connection: sa.Connection, place: tuple[str, int]) -> Message | None:
    """Return one message by its conversation and id."""
    row = connection.execute(_BY_ID, {"conversation": place[0], "id": place[1]}).first()
    return None if row is None else _message(row)


def page_find(connection: sa.Connection, place: tuple[str, str]) -> int | None:
    """Return the id of the message that was written with this key in this conversation."""
    row = connection.execute(_BY_KEY, {"conversation": place[0], "key": place[1]}).first()
    return None if row is None or row.removed else int(row.id)


def page_waiting(connection: sa.Connection, conversation: str | None) -> tuple[Message, ...]:
    """Return what persons said and intake has not taken, in order: of one conversation, or of all."""
    query = _WAITING if conversation is None else _WAITING.where(PAGE_MESSAGE.c.conversation == conversation)
    return tuple(_message(row) for row in connection.execute(query))


def page_taken(connection: sa.Connection, ids: Sequence[int]) -> None:
    """Note that intake has taken these messages."""
    connection.execute(sa.update(PAGE_MESSAGE).where(PAGE_MESSAGE.c.id.in_(ids)).values(waiting=False))


def page_changes_since(connection: sa.Connection, since: Since) -> tuple[Message, ...]:
    """Return the messages that changed after a change, in the order of their changes; removed ones too."""
    rows = connection.execute(
        _MESSAGES.where(PAGE_MESSAGE.c.conversation == since.conversation, PAGE_MESSAGE.c.change > since.change)
        .order_by(PAGE_MESSAGE.c.change)
        .limit(since.limit)
    )
    return tuple(_message(row) for row in rows)


def page_history(connection: sa.Connection, window: Window) -> History:
    """Return the newest messages before one."""
    # The change is read first: what is newer than it is sent once more, never left out.
    change = connection.execute(
        sa.select(PAGE_CONVERSATION.c.change).where(PAGE_CONVERSATION.c.id == window.conversation)
    ).scalar()
    query = _MESSAGES.where(PAGE_MESSAGE.c.conversation == window.conversation, PAGE_MESSAGE.c.removed.is_(False))
    if window.before is not None:
        query = query.where(PAGE_MESSAGE.c.id < window.before)
    rows = connection.execute(query.order_by(PAGE_MESSAGE.c.id.desc()).limit(window.limit + 1)).all()
    messages = tuple(_message(row) for row in reversed(rows[: window.limit]))
    return History(messages=messages, change=change or 0, more=len(rows) > window.limit)


def page_conversation(connection: sa.Connection, conversation: str) -> Conversation | None:
    """Return one conversation."""
    row = connection.execute(sa.select(PAGE_CONVERSATION).where(PAGE_CONVERSATION.c.id == conversation)).first()
    return None if row is None else Conversation(**row._mapping)


def page_conversations(connection: sa.Connection, account: str) -> tuple[Conversation, ...]:
    """Return somebody's conversations, the newest first."""
    rows = connection.execute(
        sa.select(PAGE_CONVERSATION)
        .where(PAGE_CONVERSATION.c.account == account)
        .order_by(PAGE_CONVERSATION.c.changed_at.desc())
        .limit(LISTED)
    )
    return tuple(Conversation(**row._mapping) for row in rows)


def page_newest_changes(connection: sa.Connection, conversations: Sequence[str]) -> Mapping[str, int]:
    """Return the number of the newest change of each conversation."""
    rows = connection.execute(
        sa.select(PAGE_CONVERSATION.c.id, PAGE_CONVERSATION.c.change).where(PAGE_CONVERSATION.c.id.in_(conversations))
    )
    return {row.id: row.change for row in rows}


def _by_key(connection: sa.Connection, writing: Writing) -> Message | None:
    row = connection.execute(_BY_KEY, {"conversation": writing.conversation, "key": writing.key}).first()
    return None if row is None else _message(row)


def _next_change(connection: sa.Connection, conversation: str, now: datetime, title: str = "") -> int:
    """Count one change. The row stays locked until the commit, so changes are committed in their order."""
    table = PAGE_CONVERSATION
    values: dict[str, Any] = {"change": table.c.change + 1, "changed_at": now}
    if title:
        values["title"] = sa.case((table.c.title == "", title), else_=table.c.title)
    return int(
        connection.execute(
            sa.update(table).where(table.c.id == conversation).values(values).returning(table.c.change)
        ).scalar_one()
    )


def _insert(connection: sa.Connection, writing: Writing, side: Side) -> Message:
    change = _next_change(connection, writing.conversation, writing.now, writing.title)
    connection.execute(
        sa.insert(PAGE_MESSAGE).values(
            conversation=writing.conversation,
            key=writing.key,
            side=side.value,
            body=writing.body,
            change=change,
            removed=False,
            waiting=side is Side.PERSON,
            at=writing.now,
        )
    )
    written = _by_key(connection, writing)
    assert written is not None
    return written


def _rewrite(connection: sa.Connection, known: Message, body: dict[str, Any] | None, now: datetime) -> Message | None:
    connection.execute(
        sa.update(PAGE_MESSAGE)
        .where(PAGE_MESSAGE.c.id == known.id)
        .values(body=body or {}, removed=body is None, change=_next_change(connection, known.conversation, now))
    )
    return page_message(connection, (known.conversation, known.id))


def _message(row: Any) -> Message:
    return Message(
        id=row.id,
        conversation=row.conversation,
        account=row.account,
        title=row.title,
        key=row.key,
        side=Side(row.side),
        body=row.body,
        change=row.change,
        removed=row.removed,
        at=row.at,
    )


# --- files --------------------------------------------------------------------------------------------


def page_keep_file(connection: sa.Connection, file: StoredFile) -> None:
    """Write down a file whose bytes lie on disk; once an id."""
    connection.execute(
        _KEEP.of(connection),
        {
            "id": file.id,
            "account": file.account,
            "name": file.name,
            "media_type": file.media_type,
            "size": file.size,
            "at": file.at,
        },
    )


def page_file(connection: sa.Connection, file_id: str) -> StoredFile | None:
    """Return one file."""
    row = connection.execute(sa.select(PAGE_FILE).where(PAGE_FILE.c.id == file_id)).first()
    return None if row is None else _file(row)


def page_forget_files(connection: sa.Connection, before: datetime) -> tuple[str, ...]:
    """Forget files that no message carries since before a time; return their ids."""
    return tuple(
        connection.execute(
            sa.delete(PAGE_FILE)
            .where(PAGE_FILE.c.attached.is_(False), PAGE_FILE.c.at < before)
            .returning(PAGE_FILE.c.id)
        ).scalars()
    )


def _attach(connection: sa.Connection, account: str, files: Sequence[str]) -> None:
    if files:
        connection.execute(
            sa.update(PAGE_FILE).where(PAGE_FILE.c.id.in_(files), PAGE_FILE.c.account == account).values(attached=True)
        )


def _file(row: Any) -> StoredFile:
    return StoredFile(
        id=row.id, account=row.account, name=row.name, media_type=row.media_type, size=row.size, at=row.at
    )


# --- sessions -----------------------------------------------------------------------------------------


def page_sign_in(connection: sa.Connection, session: Session) -> None:
    """Keep a session."""
    connection.execute(
        sa.insert(PAGE_SESSION).values(
            token_hash=session.token_hash,
            account=session.account,
            name=session.name,
            expires_at=session.expires_at,
        )
    )


def page_session(connection: sa.Connection, moment: Moment) -> Session | None:
    """Return a session by the hash of its token, None once it is over."""
    row = connection.execute(
        sa.select(PAGE_SESSION).where(PAGE_SESSION.c.token_hash == moment.id, PAGE_SESSION.c.expires_at > moment.now)
    ).first()
    return None if row is None else Session(**row._mapping)


def page_sign_out(connection: sa.Connection, moment: Moment) -> None:
    """End a session, and forget those that are over."""
    connection.execute(
        sa.delete(PAGE_SESSION).where(
            sa.or_(PAGE_SESSION.c.token_hash == moment.id, PAGE_SESSION.c.expires_at <= moment.now)
        )
    )


class Pages:
    """The verbs above, over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def say(self, writing: Writing) -> Message:
        return await self._database.write(page_say, writing)

    async def post(self, writing: Writing) -> Message | None:
        return await self._database.write(page_post, writing)

    async def fill(self, filling: Filling) -> Message | None:
        return await self._database.write(page_fill, filling)

    async def taken(self, ids: Sequence[int]) -> None:
        await self._database.write(page_taken, ids)

    async def waiting(self, conversation: str | None) -> Sequence[Message]:
        return await self._database.read(page_waiting, conversation)

    async def message(self, conversation: str, message_id: int) -> Message | None:
        return await self._database.read(page_message, (conversation, message_id))

    async def find(self, conversation: str, key: str) -> int | None:
        return await self._database.read(page_find, (conversation, key))

    async def changes_since(self, since: Since) -> Sequence[Message]:
        return await self._database.read(page_changes_since, since)

    async def history(self, window: Window) -> History:
        return await self._database.read(page_history, window)

    async def conversation(self, conversation: str) -> Conversation | None:
        return await self._database.read(page_conversation, conversation)

    async def conversations(self, account: str) -> Sequence[Conversation]:
        return await self._database.read(page_conversations, account)

    async def newest_changes(self, conversations: Sequence[str]) -> Mapping[str, int]:
        return await self._database.read(page_newest_changes, conversations)

    async def keep_file(self, file: StoredFile) -> None:
        await self._database.write(page_keep_file, file)

    async def file(self, file_id: str) -> StoredFile | None:
        return await self._database.read(page_file, file_id)

    async def forget_files(self, before: datetime) -> Sequence[str]:
        return await self._database.write(page_forget_files, before)

    async def sign_in(self, session: Session) -> None:
        await self._database.write(page_sign_in, session)

    async def session(self, moment: Moment) -> Session | None:
        return await self._database.read(page_session, moment)

    async def sign_out(self, moment: Moment) -> None:
        await self._database.write(page_sign_out, moment)
