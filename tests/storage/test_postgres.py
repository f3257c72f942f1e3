"""PostgreSQL in trouble: what a server in need says is "try again", and nothing is done twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa

from bot.errors import StorageBusy
from storage.postgres import PostgresDatabase
from tests.support.postgres import Cluster

SSL_REQUEST = b"\x04\xd2\x16\x2f"


@asynccontextmanager
async def serving(serve: Any) -> AsyncIterator[int]:
    """Listen on a free port of this machine."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


def turned_away(sqlstate: str) -> Any:
    """Return a server that refuses every connection with an error, as one does that starts or is full."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = await reader.read(4096)
        if hello[4:8] == SSL_REQUEST:
            writer.write(b"N")
            await reader.read(4096)
        fields = b"SFATAL\0" + b"C" + sqlstate.encode() + b"\0" + b"Mnot now\0\0"
        writer.write(b"E" + (len(fields) + 4).to_bytes(4) + fields)
        await writer.drain()
        writer.close()

    return serve


class Line:
    """A line to a server that breaks once, right after a commit: the server did it, and nobody hears so."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self.armed = False
        self.broke = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(str(self._socket))
        committing = False

        async def down() -> None:
            while data := await back.read(65536):
                if committing:
                    self.broke += 1
                    break
                writer.write(data)
            writer.close()
            forth.close()

        answers = asyncio.ensure_future(down())
        while data := await reader.read(65536):
            if self.armed and b"COMMIT" in data:
                self.armed, committing = False, True
            forth.write(data)
        forth.close()
        await answers


@pytest.fixture
async def line(cluster: Cluster) -> AsyncIterator[tuple[Line, PostgresDatabase]]:
    url = await cluster.fresh()
    parts = urlsplit(url)
    line = Line(Path(parse_qs(parts.query)["host"][0]) / f".s.PGSQL.{parts.port or 5432}")
    async with serving(line.serve) as port:
        database = PostgresDatabase(f"postgresql://postgres@127.0.0.1:{port}{parts.path}")
        yield line, database
        await database.close()


def make(connection: sa.Connection, _: None) -> None:
    connection.execute(sa.text("CREATE TABLE noted (what text)"))


def note(connection: sa.Connection, what: str) -> str:
    connection.execute(sa.text("INSERT INTO noted VALUES (:what)"), {"what": what})
    return what


def noted(connection: sa.Connection, _: None) -> list[str]:
    return list(connection.execute(sa.text("SELECT what FROM noted")).scalars())


async def test_a_commit_whose_answer_was_lost_is_not_done_again(line: tuple[Line, PostgresDatabase]) -> None:
    wire, database = line
    await database.write(make, None)
    wire.armed = True
    assert await database.write(note, "once") == "once"
    assert wire.broke == 1
    assert await database.read(noted, None) == ["once"]


@pytest.mark.parametrize("sqlstate", ["57P03", "53300"])
async def test_a_server_that_takes_nobody_yet_is_busy(sqlstate: str) -> None:
    async with serving(turned_away(sqlstate)) as port:
        database = PostgresDatabase(f"postgresql://postgres@127.0.0.1:{port}/postgres")
        with pytest.raises(StorageBusy):
            await database.read(noted, None)
        with pytest.raises(StorageBusy):
            await database.write(note, "never")
        await database.close()


def fill_the_disk(connection: sa.Connection, sqlstate: str) -> None:
    connection.execute(sa.text(f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{sqlstate}'; END $$"))


@pytest.mark.parametrize("sqlstate", ["53100", "25006", "58030"])
async def test_a_full_disk_and_a_server_that_only_reads_are_busy(cluster: Cluster, sqlstate: str) -> None:
    database = PostgresDatabase(await cluster.fresh())
    with pytest.raises(StorageBusy):
        await database.write(fill_the_disk, sqlstate)
    await database.close()


def wait_in_vain(connection: sa.Connection, _: None) -> None:
    raise sa.exc.TimeoutError("QueuePool limit reached")


async def test_a_pool_without_a_free_connection_is_busy(cluster: Cluster) -> None:
    database = PostgresDatabase(await cluster.fresh())
    with pytest.raises(StorageBusy):
        await database.write(wait_in_vain, None)
    await database.close()


def break_a_rule(connection: sa.Connection, words: str) -> None:
    connection.execute(sa.text("INSERT INTO nowhere VALUES (:words)"), {"words": words})


async def test_an_error_does_not_repeat_what_people_wrote(cluster: Cluster) -> None:
    database = PostgresDatabase(await cluster.fresh())
    with pytest.raises(sa.exc.DBAPIError) as caught:
        await database.write(break_a_rule, "their private words")
    assert "private" not in str(caught.value)
    await database.close()
