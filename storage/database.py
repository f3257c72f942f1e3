"""Database: `write(fn, value)` and `read(fn, value)`, the same for SQLite and PostgreSQL.

A store is a set of sync functions `fn(connection, value)` on SQLAlchemy Core. `write` runs one in a transaction of
its own: all of it is committed when the call returns, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa

Value = TypeVar("Value")
Result = TypeVar("Result")

Verb = Callable[[sa.Connection, Value], Result]


Committed = Callable[[float, int], None]
"""Told of each commit: its seconds, and how many writes it carried."""


class Database(Protocol):
    """One open database."""

    @property
    def exclusive(self) -> bool:
        """This process is the only one that writes (SQLite)."""
        ...

    async def write(self, fn: Verb[Value, Result], value: Value) -> Result:
        """Run `fn` in a transaction. Raises what `fn` raised, or `StorageBusy`: nothing was written then."""
        ...

    async def read(self, fn: Verb[Value, Result], value: Value) -> Result:
        """Run `fn`, which only reads."""
        ...

    def tell(self, committed: Committed) -> None:
        """Call `committed` after each commit; it must be cheap, and may be called from another thread."""
        ...

    async def migrate(self) -> bool:
        """Bring the schema up to date; say whether anything had to be done."""
        ...

    async def close(self) -> None: ...


class Both:
    """A statement with `INSERT … ON CONFLICT`, built once for the database that is used."""

    def __init__(self, build: Callable[[Any], Any]) -> None:
        self._build = build
        self._built: dict[str, Any] = {}

    def of(self, connection: sa.Connection) -> Any:
        name = connection.dialect.name
        if name not in self._built:
            self._built[name] = self._build(insert_of(name))
        return self._built[name]


def insert_of(dialect: str) -> Any:
    """Return the `insert` of a database, which knows conflicts; only the one that is used is imported."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as sqlite_insert

        return sqlite_insert
    from sqlalchemy.dialects.postgresql import insert as postgresql_insert

    return postgresql_insert


def verb_name(fn: Callable[..., Any]) -> str:
    """Return the name of a verb, as failpoints and metrics call it."""
    inner = getattr(fn, "func", fn)
    return str(getattr(inner, "__name__", "write")).lstrip("_")
