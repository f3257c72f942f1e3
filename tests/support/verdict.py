"""Verdict: what must hold of a conversation, however often the bot died in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from bot.work import RowKind
from storage.tables import ITEM, OUTBOX, ROOM, RUN
from tests.support.labour import Ledger
from tests.support.paper import PLACEHOLDER, Desk, Sheet
from tests.support.script import TOKEN, Piece
from tests.support.world import room


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """What the database knows of some rooms."""

    rows: Sequence[Any]
    items: Sequence[Any]
    owned: Sequence[str]
    """Rooms that somebody still holds."""


def stored(connection: sa.Connection, keys: Sequence[str]) -> Stored:
    """Return the outbox and the items of rooms."""
    rows = connection.execute(sa.select(OUTBOX).where(OUTBOX.c.room_key.in_(keys)).order_by(OUTBOX.c.id)).all()
    runs = sa.select(RUN.c.id).where(RUN.c.room_key.in_(keys))
    items = connection.execute(sa.select(ITEM).where(ITEM.c.run_id.in_(runs)).order_by(ITEM.c.id)).all()
    owned = connection.execute(sa.select(ROOM.c.key).where(ROOM.c.key.in_(keys), ROOM.c.owner.is_not(None)))
    return Stored(rows=rows, items=items, owned=list(owned.scalars()))


def check_room(pieces: Sequence[Piece], desk: Desk, known: Stored, *, strays: int) -> None:
    """Check one room: every question answered once, in order, and the room shows what the outbox says."""
    key = room(pieces[0].chat).key
    rows = [row for row in known.rows if row.room_key == key]
    sheets = desk.room(key)
    _check_outbox(rows, sheets, strays=strays)
    assert key not in known.owned, "a room in which nothing is left to send is let go"
    shown = [sheet for sheet in sheets if sheet.text != PLACEHOLDER]
    counts = Counter(token for sheet in shown for token in TOKEN.findall(sheet.text))
    assert counts == Counter(token for piece in pieces for token in piece.tokens), "each question has one answer"
    beside = {token for piece in pieces for token in piece.beside}
    asked = [token for piece in pieces for token in piece.tokens if token not in beside]
    answered = [token for sheet in shown for token in TOKEN.findall(sheet.text) if token not in beside]
    assert answered == asked, "answers stand in the order of the questions"


def _check_outbox(rows: Sequence[Any], sheets: Sequence[Sheet], *, strays: int) -> None:
    by_id = {sheet.id: sheet for sheet in sheets}
    assert {row.status for row in rows} <= {"sent"}, "every row is sent"
    own = [row for row in rows if row.kind != RowKind.AGAIN.value]
    said = {row.platform_message_id: row.body["body"]["text"] for row in own}
    assert len(said) == len(own), "each row has a message of its own"
    assert {number: by_id[number].text for number in said} == said, "the room shows what the outbox says"
    left = [sheet.text for sheet in sheets if sheet.id not in said]
    assert left == [PLACEHOLDER] * len(left), "nothing is shown twice"
    assert len(left) <= strays, "a crash leaves one stray placeholder a room at most"


def check_steps(known: Stored, ledger: Ledger, *, repeats: int) -> None:
    """Check the journal: no step committed twice, none repeated but for a crash, no deed done twice."""
    steps = Counter((item.run_id, item.kind, item.body["text"]) for item in known.items if item.kind != "user")
    assert not [step for step, count in steps.items() if count > 1], "no step is committed twice"
    asked = Counter(token for item in known.items if item.kind == "user" for token in TOKEN.findall(item.body["text"]))
    assert not [token for token, count in asked.items() if count > 1], "nothing is asked twice"
    assert max(ledger.deeds.values(), default=0) <= 1, "what cannot be undone is done once"
    assert sum(count - 1 for count in ledger.steps.values()) <= repeats, "a crash repeats one step of a run at most"
    assert ledger.overlaps == 0, "one run at a time works in a thread"
