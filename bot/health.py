"""Health: whether the process lives, and whether it can do its work. Served to whoever watches over it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import orjson
from aiohttp import web

from bot.clock import Clock
from bot.errors import DeckhandError
from bot.metrics import CONTENT_TYPE, Metrics

DATABASE_SECONDS = 2.0
STALE_SECONDS = 30.0
"""An engine that has not looked for work for this long is stuck: it looks every few seconds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that must hold."""

    name: str
    ok: bool
    because: str = ""
    """What is wrong, when it is not ok."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Readiness:
    """Everything that must hold."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return all(finding.ok for finding in self.findings)


class Heart:
    """Beats whenever the engine's loop comes round."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._beat_at: float | None = None

    def beat(self) -> None:
        """Say that the loop is alive."""
        self._beat_at = self._clock.monotonic()

    def silent_for(self) -> float | None:
        """Return the seconds since the last beat, None before the first."""
        return None if self._beat_at is None else self._clock.monotonic() - self._beat_at


@dataclass(frozen=True, kw_only=True, slots=True)
class Vitals:
    """What is asked when somebody wants to know."""

    ping: Callable[[], Awaitable[object]]
    """A question to the database; raises when it does not answer."""
    listening: Callable[[], Mapping[str, bool]]
    """Each adapter, and whether it hears its platform."""
    heart: Heart
    database_seconds: float = DATABASE_SECONDS


async def readiness(vitals: Vitals) -> Readiness:
    """Say whether all that a message needs on its way is there."""
    database = await _database(vitals)
    return Readiness(findings=(database, engine(vitals.heart.silent_for()), *adapters(vitals.listening())))


async def _database(vitals: Vitals) -> Finding:
    try:
        async with asyncio.timeout(vitals.database_seconds):
            await vitals.ping()
    except TimeoutError:
        return Finding(name="database", ok=False, because=f"no answer within {vitals.database_seconds:g} s")
    except (DeckhandError, OSError) as error:
        # Only the class: the page is public, and the words of a driver may name hosts and users.
        return Finding(name="database", ok=False, because=f"the question failed with {type(error).__name__}")
    return Finding(name="database", ok=True)


def engine(silent_for: float | None) -> Finding:
    """Judge the engine's loop by its silence."""
    if silent_for is None:
        return Finding(name="engine", ok=False, because="not started yet")
    if silent_for > STALE_SECONDS:
        return Finding(name="engine", ok=False, because=f"silent for {silent_for:.0f} s")
    return Finding(name="engine", ok=True)


def adapters(listening: Mapping[str, bool]) -> tuple[Finding, ...]:
    """Judge each adapter."""
    return tuple(
        Finding(name=name, ok=ok, because="" if ok else "does not hear its platform")
        for name, ok in sorted(listening.items())
    )


class Routes(Protocol):
    """Where handlers are registered: an aiohttp router."""

    def add_get(self, path: str, handler: Callable[[web.Request], Awaitable[web.StreamResponse]], /) -> Any: ...


def register(routes: Routes, vitals: Vitals, metrics: Metrics) -> None:
    """Serve `/healthz`, `/readyz` and `/metrics`."""

    async def alive(_request: web.Request) -> web.StreamResponse:
        return _json({"ok": True}, status=200)

    async def ready(_request: web.Request) -> web.StreamResponse:
        state = await readiness(vitals)
        return _json({"ok": state.ok, "findings": state.findings}, status=200 if state.ok else 503)

    async def numbers(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=metrics.exposition(), headers={"Content-Type": CONTENT_TYPE})

    routes.add_get("/healthz", alive)
    routes.add_get("/readyz", ready)
    routes.add_get("/metrics", numbers)


def _json(body: Mapping[str, object], *, status: int) -> web.Response:
    return web.Response(body=orjson.dumps(body), status=status, content_type="application/json")
