"""Marks: facts about a database as a whole, such as that simulated people have been in it."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from storage.prepared import Prepared
from storage.tables import MARK

_b = sa.bindparam

_SET = Prepared(lambda insert: insert(MARK).values(name=_b("n"), value=_b("v")).on_conflict_do_nothing())
_GET = Prepared(sa.select(MARK.c.value).where(MARK.c.name == _b("n")))


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMark:
    """A fact that is stored only where nothing else stands."""

    name: str
    value: str


def mark_once(connection: sa.Connection, mark: NewMark) -> str:
    """Store a fact unless it is known already; return what stands."""
    _SET.run(connection, {"n": mark.name, "v": mark.value})
    return str(_GET.scalar(connection, {"n": mark.name}))
