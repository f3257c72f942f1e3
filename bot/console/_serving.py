"""Serving: start what was assembled, say how to reach it, and end it cleanly when asked."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol

import uvloop

from bot.adapter import Adapter
from bot.assembly import PAGE, Assembled, assemble
from bot.console import _texts as texts
from bot.log import secrets_of, start_logging
from bot.settings import Settings
from bot.subcommand import Terminal
from bot.system_clock import SystemClock

STOPPED = 0
LOST = 1
SIGNALS = (signal.SIGTERM, signal.SIGINT)


def in_loop(work: Coroutine[Any, Any, int]) -> int:
    """Run the work in a fast event loop and return its exit code."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def log_for(settings: Settings) -> None:
    """Set the log up as the settings say."""
    secrets = secrets_of(settings)
    start_logging(clock=SystemClock(), secrets=secrets, form=settings.log_format, level=settings.log_level)


class Running(Protocol):
    """What was started and must be closed."""

    async def close(self) -> None: ...


async def serve(settings: Settings, chosen: Mapping[str, Adapter], terminal: Terminal) -> int:
    """Run the bot until a signal; when our lease is lost, begin anew as another worker."""
    asked = on_signals()
    settings.home.mkdir(parents=True, exist_ok=True)
    while True:
        assembled = await assemble(settings, chosen)
        introduce(assembled, terminal, page=PAGE in chosen)
        code = await until_asked(asked, assembled, terminal, lost=assembled.lost)
        if asked.is_set() or code != LOST:
            return code


async def until_asked(
    asked: asyncio.Event, running: Running, terminal: Terminal, *, lost: asyncio.Event | None = None
) -> int:
    """Wait for one of the events, close what runs, and return the exit code."""
    lost = lost or asyncio.Event()
    try:
        # What is alive now stays so: the collector need not look at it again and again.
        gc.freeze()
        await _first(asked, lost)
    finally:
        await running.close()
    if lost.is_set():
        terminal.tell(texts.LOST)
        return LOST
    return STOPPED


def introduce(assembled: Assembled, terminal: Terminal, *, page: bool) -> None:
    """Say where the page is, and the code of the first administrator while there is none."""
    if assembled.first_code is not None:
        terminal.tell(texts.code(assembled.first_code))
        if page:
            terminal.tell(texts.at_page(assembled.web.url, assembled.first_code))
    elif page and assembled.sign_in_code is not None:
        terminal.tell(texts.page(assembled.web.url, assembled.sign_in_code))


def on_signals() -> asyncio.Event:
    """Return the event that is set once the process is asked to stop."""
    asked = asyncio.Event()
    for number in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    return asked


async def _first(*events: asyncio.Event) -> None:
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
