"""The tables behind a page of ours: conversations, messages, files, sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from storage.types import BigId, Json, UtcTime


def _time(*, index: bool = False) -> Any:
    return Field(sa_column=sa.Column(UtcTime(), nullable=False, index=index))


class PageConversation(SQLModel, table=True):
    """A conversation; `change` counts everything that ever changed in it."""

    __tablename__ = "page_conversation"

    id: str = Field(primary_key=True)
    account: str
    title: str = ""
    change: int = Field(default=0, sa_type=sa.BigInteger)
    changed_at: datetime = _time()

    __table_args__ = (sa.Index("page_conversation_recent", "account", "changed_at"),)


class PageMessage(SQLModel, table=True):
    """A message as it stands now, with the change that made it so."""

    __tablename__ = "page_message"

    id: int | None = Field(default=None, sa_column=sa.Column(BigId, primary_key=True, autoincrement=True))
    conversation: str
    key: str
    side: str
    body: Any = Field(sa_column=sa.Column(Json, nullable=False))
    change: int = Field(sa_type=sa.BigInteger)
    removed: bool = False
    waiting: bool = False
    """A person's message that intake has not taken yet."""
    at: datetime = _time()

    __table_args__ = (
        sa.UniqueConstraint("conversation", "key", name="page_message_key"),
        sa.Index("page_message_change", "conversation", "change"),
        sa.Index("page_message_order", "conversation", "id"),
        sa.Index(
            "page_message_waiting",
            "conversation",
            "id",
            sqlite_where=sa.text("waiting"),
            postgresql_where=sa.text("waiting"),
        ),
    )


class PageFile(SQLModel, table=True):
    """A file; its bytes lie on disk under its id."""

    __tablename__ = "page_file"

    id: str = Field(primary_key=True)
    account: str
    name: str
    media_type: str
    size: int = Field(sa_type=sa.BigInteger)
    at: datetime = _time(index=True)
    attached: bool = False
    """A message carries it; others are forgotten after a while."""


class PageSession(SQLModel, table=True):
    """A browser that is signed in; of its token only the hash is kept."""

    __tablename__ = "page_session"

    token_hash: str = Field(primary_key=True)
    account: str
    name: str = ""
    expires_at: datetime = _time(index=True)


def _table(model: type[SQLModel]) -> sa.Table:
    table: sa.Table = model.__table__  # type: ignore[attr-defined]
    return table


PAGE_CONVERSATION = _table(PageConversation)
PAGE_MESSAGE = _table(PageMessage)
PAGE_FILE = _table(PageFile)
PAGE_SESSION = _table(PageSession)
