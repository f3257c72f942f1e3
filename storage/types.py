"""Column types that mean the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

BigId = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""An id that the database counts up."""


class Json(TypeDecorator[Any]):
    """Any JSON value; on PostgreSQL in its binary form."""

    impl = sa.JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name != "postgresql":
            return dialect.type_descriptor(sa.JSON())
        from sqlalchemy.dialects.postgresql import JSONB  # only where PostgreSQL is used

        return dialect.type_descriptor(JSONB())


def json_dump(value: Any) -> str:
    return orjson.dumps(value).decode()


def json_load(text: str | bytes) -> Any:
    return orjson.loads(text)


class UtcTime(TypeDecorator[datetime]):
    """An aware time in UTC; on SQLite text of fixed width, so that it sorts."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "sqlite":
            return dialect.type_descriptor(sa.String(32))
        return dialect.type_descriptor(sa.DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a zone cannot be stored: {value.isoformat()}")
        if dialect.name == "sqlite":
            return value.astimezone(UTC).isoformat(timespec="microseconds")
        return value

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if dialect.name == "sqlite":
            return datetime.fromisoformat(value)
        time: datetime = value.astimezone(UTC)
        return time
