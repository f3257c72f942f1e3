"""`deckhand run` and `deckhand sim` as processes: they start, say where they are, and end cleanly when asked."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0
STOP_SECONDS = 30.0


class Running:
    """A `deckhand` process, and what it has told so far."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.told = ""

    async def until(self, text: str) -> str:
        """Read on until it has told this; return that line."""
        assert self.process.stderr is not None
        async with asyncio.timeout(START_SECONDS):
            while True:
                line = (await self.process.stderr.readline()).decode()
                self.told += line
                assert line, f"it ended without telling {text!r}:\n{self.told}"
                if text in line:
                    return line.strip()

    async def stop(self, number: signal.Signals) -> int:
        """Ask it to end and return its exit code."""
        self.process.send_signal(number)
        async with asyncio.timeout(STOP_SECONDS):
            _, rest = await self.process.communicate()
        self.told += rest.decode()
        assert self.process.returncode is not None
        return self.process.returncode


@asynccontextmanager
async def deckhand(folder: Path, *words: str, environment: Mapping[str, str]) -> AsyncIterator[Running]:
    """Start a process, and see that it does not outlive the test."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "--folder", str(folder), *words),
        env={**os.environ, "DECKHAND_MODEL": "scripted", **environment},
        cwd=ROOT,
        stderr=PIPE,
    )
    try:
        yield Running(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_run_serves_until_it_is_asked_to_stop(
    tmp_path: Path, number: signal.Signals, unused_tcp_port: int
) -> None:
    async with deckhand(tmp_path, "run", environment={"DECKHAND_PORT": str(unused_tcp_port)}) as running:
        link = await running.until("/?code=")
        await running.until("listening")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{unused_tcp_port}/readyz") as answer:
                assert answer.status == 200
            async with session.get(link) as page:
                assert page.status == 200
        assert await running.stop(number) == 0


async def test_the_code_is_told_again_until_somebody_used_it(tmp_path: Path, unused_tcp_port: int) -> None:
    environment = {"DECKHAND_PORT": str(unused_tcp_port)}
    async with deckhand(tmp_path, "run", environment=environment) as running:
        await running.until("/?code=")
        await running.stop(signal.SIGTERM)
    async with deckhand(tmp_path, "run", environment=environment) as running:
        link = await running.until("/?code=")
        async with aiohttp.ClientSession() as session, session.get(link) as page:
            assert page.status == 200
        await running.stop(signal.SIGTERM)
    async with deckhand(tmp_path, "run", environment=environment) as running:
        assert "code=" not in await running.until("The web chat")
        await running.stop(signal.SIGTERM)


async def test_sim_starts_simulated_platforms_in_a_home_of_their_own(tmp_path: Path) -> None:
    async with deckhand(tmp_path, "sim", "--first-port", "0", environment={"DECKHAND_PORT": "0"}) as running:
        line = await running.until("A simulated telegram")
        await running.until("/?code=")
        async with aiohttp.ClientSession() as session, session.get(line.rpartition(" ")[2]) as page:
            assert page.status == 200
        assert await running.stop(signal.SIGTERM) == 0
    assert (tmp_path / "home" / "sim" / "deckhand.db").exists()
    assert not (tmp_path / "home" / "deckhand.db").exists()


async def test_the_simulated_platforms_can_be_had_without_a_bot(tmp_path: Path) -> None:
    words = ("sim", "--platforms-only", "--first-port", "0")
    async with deckhand(tmp_path, *words, environment={}) as running:
        await running.until("A simulated telegram")
        assert "TELEGRAM_TOKEN=" in await running.until("for another bot")
        assert await running.stop(signal.SIGTERM) == 0
    assert not (tmp_path / "home").exists()


async def test_real_people_are_refused_where_simulated_ones_have_been(tmp_path: Path) -> None:
    async with deckhand(tmp_path, "sim", "--first-port", "0", environment={"DECKHAND_PORT": "0"}) as running:
        await running.until("/?code=")
        await running.stop(signal.SIGTERM)
    environment = {"DECKHAND_PORT": "0", "DECKHAND_HOME": str(tmp_path / "home" / "sim")}
    async with deckhand(tmp_path, "run", environment=environment) as running:
        await running.until("simulated people are in this database")
        assert await running.process.wait() == 1


async def test_a_second_process_on_the_same_file_is_refused(tmp_path: Path) -> None:
    environment = {"DECKHAND_PORT": "0"}
    async with deckhand(tmp_path, "run", environment=environment) as first:
        await first.until("/?code=")
        async with deckhand(tmp_path, "run", environment=environment) as second:
            await second.until("another process works on")
            assert await second.process.wait() == 1
        assert await first.stop(signal.SIGTERM) == 0
