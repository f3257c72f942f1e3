"""A seeded past looks to the path like one that was lived."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from benchmarks.seed import Past, seed
from storage.items import tail
from storage.sqlite import SqliteDatabase
from storage.tables import OUTBOX, RUN, THREAD
from tests.support.paper import Desk
from tests.support.world import World, an_event

HERE = "paper/paperbot/77/"
NAME = "deckhand.db"


def look(connection: sa.Connection, _: None) -> tuple[int, int, int, int]:
    """Return the thread's count of items, how many can be read, its ended runs, and what waits to be sent."""
    thread = connection.execute(sa.select(THREAD.c.id, THREAD.c.next_item)).one()
    ended = sa.select(sa.func.count()).where(RUN.c.thread_id == thread.id, RUN.c.status == "done")
    waiting = sa.select(sa.func.count()).where(OUTBOX.c.status != "sent")
    return (
        thread.next_item,
        len(tail(connection, thread.id, 1_000)),
        connection.execute(ended).scalar_one(),
        connection.execute(waiting).scalar_one(),
    )


async def talk(file: Path, desk: Desk, number: str) -> tuple[int, int, int, int]:
    """Let the bot answer once, and look at what it left."""
    world = World(SqliteDatabase(file), desk)
    await world.start()
    await world.say(an_event("hello", id=number, chat="77"))
    await world.quiet()
    found = await world.database.read(look, None)
    await world.stop()
    return found


async def test_the_bot_goes_on_behind_a_seeded_past(tmp_path: Path) -> None:
    desk = Desk()
    assert await talk(tmp_path / NAME, desk, "1") == (2, 2, 1, 0)
    await seed(tmp_path, "", [Past(chat=77, items=42)])
    assert await talk(tmp_path / NAME, desk, "2") == (44, 44, 22, 0)
    assert desk.texts(HERE) == ["answer to hello", "answer to hello"]
