"""Plans: no statement of the path reads a table from end to end, however much lies in it (SQLite)."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import storage
from bot.events import Event, Kind
from bot.people import Standing
from bot.work import Amend, Verdict
from storage.prepared import Prepared
from storage.sqlite import SqliteDatabase
from tests.support.paper import Desk
from tests.support.until import until
from tests.support.world import World, an_event, open_gates

GROWING = ("thread", "topic", "room", "connection", "alias", "inbox", "run", "run_step", "item", "outbox", "decision")
"""Tables that get longer with every message, person or room."""

SHORT_INDEXES = ("thread_ready", "outbox_waiting", "inbox_control", "run_waiting", "run_one_at_a_time")
"""Partial indexes: only what waits is in them, so that they may be read as a whole."""

_SCAN = re.compile(r"^SCAN (?P<table>\w+)(?: USING (?:COVERING )?INDEX (?P<index>\w+))?")

Statement = tuple[str, Any]


def scans(file: Path, statement: Statement) -> list[str]:
    """Return the steps of a statement's plan that read a growing table as a whole."""
    connection = sqlite3.connect(file)
    try:
        steps = connection.execute(f"EXPLAIN QUERY PLAN {statement[0]}", statement[1]).fetchall()
    finally:
        connection.close()
    found = ((step[3], _SCAN.match(step[3])) for step in steps)
    return [text for text, scan in found if scan and scan["table"] in GROWING and scan["index"] not in SHORT_INDEXES]


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """An empty database of the newest schema."""
    database = SqliteDatabase(tmp_path / "plans.db")
    await database.migrate()
    await database.close()
    return tmp_path / "plans.db"


def prepared() -> Iterator[tuple[str, Statement]]:
    """Yield every prepared statement of the stores, with nothing known of its parameters."""
    for info in pkgutil.iter_modules(storage.__path__):
        if info.name in ("env", "versions"):
            continue
        for name, value in vars(importlib.import_module(f"storage.{info.name}")).items():
            if isinstance(value, Prepared) and (info.name, name) != ("leases", "_HINT"):
                text, count = value.on_sqlite()
                yield f"{info.name}.{name}", (text, [None] * count)


def test_no_prepared_statement_scans(file: Path) -> None:
    statements = dict(prepared())
    assert len(statements) > 30
    assert {name: found for name, statement in statements.items() if (found := scans(file, statement))} == {}


@contextmanager
def recorded() -> Iterator[list[Statement]]:
    """Collect what goes through SQLAlchemy, which is whatever is not prepared."""
    seen: list[Statement] = []

    def note(_connection: Any, _cursor: Any, text: str, parameters: Any, _context: Any, many: bool) -> None:
        seen.append((text, parameters[0] if many else parameters))

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)


def amend_or_accept(event: Event, standing: Standing) -> Verdict:
    return Amend(text=event.text) if event.kind is Kind.EDIT else open_gates(event, standing)


async def converse(world: World) -> None:
    """Say, edit, ask how it goes, stop, retry and begin anew, with a preview and a merged follow-up."""
    world.judge = amend_or_accept
    world.runner.gate = asyncio.Event()
    await world.say(an_event("first", id="1"))
    await world.say(an_event("second", id="2"))
    await world.say(an_event("second, better", id="2e", kind=Kind.EDIT, message_id="m2"))
    await world.say(an_event("/status", id="3"))
    await until(lambda: "did status" in " ".join(world.desk.texts("paper/paperbot/c1/")))
    await world.say(an_event("/stop", id="4"))
    world.runner.gate.set()
    await world.quiet()
    await world.say(an_event("/retry", id="5"))
    await world.say(replace(an_event("third", id="6"), direct=False))
    await world.say(an_event("/new", id="7"))
    await world.quiet()


async def test_no_other_statement_of_the_path_scans(tmp_path: Path, desk: Desk) -> None:
    with recorded() as statements:
        world = World(SqliteDatabase(tmp_path / "talk.db"), desk)
        await world.start()
        statements.clear()
        await converse(world)
        seen = [one for one in statements if not one[0].startswith(("PRAGMA", "CREATE"))]
        await world.stop()
    assert any("UPDATE item" in text for text, _ in seen), "the talk must reach the rarer statements"
    assert any("UPDATE inbox" in text for text, _ in seen)
    found = {text: steps for text, values in seen if (steps := scans(tmp_path / "talk.db", (text, values)))}
    assert found == {}


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT id FROM thread WHERE pending > ?",
        "SELECT id FROM outbox WHERE status = ?",
        "UPDATE inbox SET done = 1 WHERE room_key = ?",
    ],
)
def test_the_judge_sees_scans(file: Path, statement: str) -> None:
    parameters: Sequence[None] = [None]
    assert scans(file, (statement, parameters)) != []
