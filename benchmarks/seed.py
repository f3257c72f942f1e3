"""Seed: give threads a long past, with the runs, events and deliveries that made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from storage.database import Database
from storage.postgres import PostgresDatabase
from storage.sqlite import SqliteDatabase
from storage.tables import INBOX, ITEM, OUTBOX, RUN, THREAD, TOPIC

AT = datetime(2026, 1, 1, tzinfo=UTC)
PORTION = 5_000
ITEMS_PER_RUN = 2
TEXT = "What was said long ago, about as long as what people say. " * 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """How many items a room's thread shall have."""

    chat: int
    items: int


async def seed(home: Path, url: str, pasts: Sequence[Past]) -> None:
    """Write the pasts into a database that no bot works on."""
    database: Database = PostgresDatabase(url) if url else SqliteDatabase(home / "deckhand.db")
    try:
        for past in pasts:
            await database.write(_seed, past)
    finally:
        await database.close()


def _seed(connection: sa.Connection, past: Past) -> None:
    room, thread_id = connection.execute(
        sa.select(TOPIC.c.room_key, TOPIC.c.thread_id).where(TOPIC.c.room_key.like(f"%/{past.chat}/"))
    ).one()
    thread = connection.execute(sa.select(THREAD).where(THREAD.c.id == thread_id)).one()
    count = (past.items - thread.next_item) // ITEMS_PER_RUN
    for first in range(0, count, PORTION):
        runs = _runs(connection, thread, room, range(first, min(count, first + PORTION)))
        connection.execute(sa.insert(INBOX), [_event(thread, room, one) for one in runs])
        connection.execute(sa.insert(OUTBOX), [_delivery(room, one) for one in runs])
        connection.execute(sa.insert(ITEM), [item for one in runs for item in _items(thread, one)])
    connection.execute(
        sa.update(THREAD)
        .where(THREAD.c.id == thread_id)
        .values(next_item=THREAD.c.next_item + count * ITEMS_PER_RUN, next_seq=THREAD.c.next_seq + count)
    )


def _runs(connection: sa.Connection, thread: Any, room: str, places: range) -> Sequence[Mapping[str, int]]:
    """Insert ended runs; return their ids and places."""
    common = {
        "thread_id": thread.id,
        "requester_id": 1,
        "room_key": room,
        "status": "done",
        "fence": 1,
        "attempt": 1,
        "available_at": AT,
        "command": "",
        "group_key": "",
        "cancel_requested": False,
        "outcome": "success",
        "stop_reason": "",
        "error": "",
        "code_version": "",
        "created_at": AT,
        "started_at": AT,
        "ended_at": AT,
    }
    connection.execute(sa.insert(RUN), [common | {"seq": thread.next_seq + place} for place in places])
    found = connection.execute(
        sa.select(RUN.c.id, RUN.c.seq)
        .where(RUN.c.thread_id == thread.id, RUN.c.seq >= thread.next_seq + places.start)
        .order_by(RUN.c.seq)
    )
    return [{"id": row.id, "seq": row.seq, "place": row.seq - thread.next_seq} for row in found]


def _event(thread: Any, room: str, run: Mapping[str, int]) -> Mapping[str, Any]:
    return {
        "dedupe_key": f"seed:{thread.id}:{run['seq']}",
        "room_key": room,
        "person_id": 1,
        "lane": "thread",
        "command": "",
        "thread_id": thread.id,
        "seq": run["seq"],
        "run_id": run["id"],
        "message_key": f"{room}#seed{run['seq']}",
        "payload": "",
        "received_at": AT,
        "done": True,
    }


def _delivery(room: str, run: Mapping[str, int]) -> Mapping[str, Any]:
    return {
        "idem_key": f"{run['id']}:0",
        "room_key": room,
        "run_id": run["id"],
        "kind": "answer",
        "anchor": "",
        "body": {"kind": "text", "body": {"text": TEXT}},
        "status": "sent",
        "attempt": 0,
        "platform_message_id": "1",
        "created_at": AT,
        "error": "",
    }


def _items(thread: Any, run: Mapping[str, int]) -> Iterator[Mapping[str, Any]]:
    first = thread.next_item + run["place"] * ITEMS_PER_RUN
    for offset, kind in enumerate(("user", "assistant")):
        yield {
            "thread_id": thread.id,
            "seq": first + offset,
            "run_id": run["id"],
            "kind": kind,
            "body": {"text": TEXT},
            "message_key": "",
            "dropped": False,
        }
