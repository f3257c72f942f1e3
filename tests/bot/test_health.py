"""Whether the process lives and can do its work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from bot.health import Finding, Heart, Vitals, readiness, register
from bot.metrics import Metrics
from tests.support.gates import StoppedClock

Question = Callable[[], Awaitable[object]]


async def answers() -> object:
    return 1


async def fails() -> object:
    raise OSError("could not reach db.internal as bot")


async def hangs() -> object:
    return await asyncio.Event().wait()


def some_vitals(*, ping: Question = answers, beating: bool = True, silent: float = 0.0, **adapters: bool) -> Vitals:
    clock = StoppedClock()
    heart = Heart(clock)
    if beating:
        heart.beat()
    clock.seconds += silent
    return Vitals(ping=ping, listening=lambda: adapters or {"paper": True}, heart=heart, database_seconds=0.02)


async def test_all_well() -> None:
    state = await readiness(some_vitals())
    assert state.ok
    assert [finding.name for finding in state.findings] == ["database", "engine", "paper"]


@pytest.mark.parametrize(
    ("vitals", "finding"),
    [
        (
            some_vitals(ping=fails),
            Finding(name="database", ok=False, because="the question failed with OSError"),
        ),
        (some_vitals(ping=hangs), Finding(name="database", ok=False, because="no answer within 0.02 s")),
        (some_vitals(beating=False), Finding(name="engine", ok=False, because="not started yet")),
        (some_vitals(silent=31), Finding(name="engine", ok=False, because="silent for 31 s")),
        (
            some_vitals(paper=True, rock=False),
            Finding(name="rock", ok=False, because="does not hear its platform"),
        ),
    ],
)
async def test_whatever_is_missing_is_named(vitals: Vitals, finding: Finding) -> None:
    state = await readiness(vitals)
    assert not state.ok
    assert [found for found in state.findings if not found.ok] == [finding]


async def asked(vitals: Vitals, path: str) -> tuple[int, bytes, str]:
    app = web.Application()
    register(app.router, vitals, Metrics())
    async with TestClient(TestServer(app)) as client, client.get(path) as answer:
        return answer.status, await answer.read(), answer.headers["Content-Type"]


async def test_liveness_is_told_even_when_nothing_works() -> None:
    status, body, _ = await asked(some_vitals(ping=fails, beating=False), "/healthz")
    assert (status, orjson.loads(body)) == (200, {"ok": True})


async def test_readiness_is_served_with_its_findings() -> None:
    status, body, content_type = await asked(some_vitals(), "/readyz")
    assert (status, content_type, orjson.loads(body)["ok"]) == (200, "application/json", True)
    status, body, _ = await asked(some_vitals(ping=fails), "/readyz")
    found: Any = orjson.loads(body)
    assert (status, found["ok"]) == (503, False)
    assert found["findings"][0]["name"] == "database"
    assert b"db.internal" not in body


async def test_metrics_are_served() -> None:
    status, body, content_type = await asked(some_vitals(), "/metrics")
    assert status == 200 and b"deckhand_running 0.0" in body
    assert content_type.startswith("text/plain")
