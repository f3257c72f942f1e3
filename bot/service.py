"""Service: a bot at work in the foreground, until somebody wants it ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

import structlog

from bot.assembly import Assembled

log = structlog.get_logger("service")

OWNERSHIP_RETRY_SECONDS = 1.0

Ready = Callable[[Assembled], None]
"""Told each time the bot is at work."""


class Closes(Protocol):
    """Whatever was started and must be closed."""

    async def close(self) -> None: ...


def foreground(work: Coroutine[Any, Any, None]) -> None:
    """Run a service on the fastest loop that is here."""
    try:
        import uvloop
    except ModuleNotFoundError:
        asyncio.run(work)
    else:
        uvloop.run(work)


def asked_to_end() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set; a second signal ends the process at once, as usual."""
    end = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
        end.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    return end


async def serve(start: Callable[[], Awaitable[Assembled]], ready: Ready) -> None:
    """Keep a bot at work until a signal; one whose lease was lost is closed and begins anew as another worker."""
    end = asked_to_end()
    while not end.is_set():
        assembled = await start()
        ready(assembled)
        try:
            await _either(end, assembled.lost)
        finally:
            if assembled.lost.is_set():
                log.error("lease_lost", cure="the database could not be reached in time; starting anew")
            await assembled.close()
        if assembled.lost.is_set():
            await asyncio.sleep(OWNERSHIP_RETRY_SECONDS)


async def hold(started: Closes) -> None:
    """Keep something at work until a signal."""
    end = asked_to_end()
    try:
        await end.wait()
    finally:
        await started.close()


async def _either(*events: asyncio.Event) -> None:
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
