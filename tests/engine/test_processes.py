"""Processes: the real bot is killed at named points and at random moments, and starts again or is taken over from."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

import pytest

from adapters.telegram.simulator import TelegramSimulator
from tests.support.crowd import Crowd
from tests.support.process import Process, Site

POINTS = (
    "ingest.before:3",
    "ingest.after:3",
    "take_ready.before:2",
    "take_ready.after:2",
    "commit_step.before:1",
    "commit_step.after:1",
    "finish.before:2",
    "finish.after:2",
    "reserve.before:3",
    "reserve.after:3",
    "fill.before:2",
    "fill.after:2",
    "delivered.before:3",
    "delivered.after:3",
    "take_control.before:2",
    "take_control.after:2",
    "finish_control.before:1",
    "finish_control.after:1",
    "take_rooms.before:2",
    "take_rooms.after:2",
    "preview.before:1",
    "preview.after:1",
)
"""`NAME:N`: the Nth time that a process reaches it."""

SHARES = (
    pytest.param(POINTS[3::4], id="share"),
    pytest.param(POINTS, id="all", marks=pytest.mark.slow),
)
TAKEN_OVER = (
    pytest.param(("finish.after:2", "reserve.after:3", "delivered.before:3"), id="share"),
    pytest.param(POINTS, id="all", marks=pytest.mark.slow),
)
"""Each takes its time: a lease must run out."""

MOMENTS = 15
COUNTS = (5, pytest.param(MOMENTS, marks=pytest.mark.slow))
LATEST_MOMENT_SECONDS = 1.5

pytestmark = pytest.mark.timeout(300)


def a_seed() -> int:
    """Return a new seed; a test that fails shows it."""
    seed = random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}")
    return seed


async def die_at(points: Sequence[str], process: Process, crowd: Crowd) -> None:
    """Let a process die at one point after the other; each start is the recovery from the death before."""
    for point in points:
        process.start(failpoint=point)
        crowd.ask(paced=point.startswith("preview"))
        await process.died()
    await survive([process], crowd, deaths=len(points))


async def leave_to_the_other(points: Sequence[str], victim: Process, heir: Process, crowd: Crowd) -> None:
    """Let the process that listens die at each point; the other one takes over what it left."""
    for point in points:
        victim.start(failpoint=point)
        await victim.listens()
        heir.start()
        await heir.ready()
        crowd.ask(paced=point.startswith("preview"))
        await victim.died()
        await crowd.answered()
        await heir.stop()
    crowd.check(deaths=len(points))


async def die_sometime(seed: int, count: int, processes: Sequence[Process], crowd: Crowd) -> None:
    """Kill the processes in turn at random moments."""
    dice = random.Random(seed)
    for number in range(count):
        process = processes[number % len(processes)]
        for one in processes:
            if not one.alive:
                one.start()
        await process.ready()
        crowd.ask(paced=number % 3 == 0)
        await asyncio.sleep(dice.uniform(0.0, LATEST_MOMENT_SECONDS))
        await process.kill()
    await survive(processes, crowd, deaths=count)


async def survive(processes: Sequence[Process], crowd: Crowd, *, deaths: int) -> None:
    """Let everybody live, and check that each question has its one answer."""
    for process in processes:
        if not process.alive:
            process.start()
    await crowd.answered()
    for process in processes:
        await process.stop()
    crowd.check(deaths=deaths)


async def test_sqlite_a_process_dies_at_each_named_point(site: Site, simulator: TelegramSimulator) -> None:
    await die_at(POINTS, Process(site=site), Crowd(simulator))


@pytest.mark.parametrize("points", SHARES)
async def test_postgres_a_process_dies_at_each_named_point(
    shared_site: Site, simulator: TelegramSimulator, points: Sequence[str]
) -> None:
    await die_at(points, Process(site=shared_site), Crowd(simulator))


@pytest.mark.parametrize("points", TAKEN_OVER)
async def test_postgres_one_of_two_processes_dies_at_each_named_point(
    shared_site: Site, simulator: TelegramSimulator, points: Sequence[str]
) -> None:
    victim, heir = (Process(site=shared_site, name=name) for name in ("victim", "heir"))
    await leave_to_the_other(points, victim, heir, Crowd(simulator))


@pytest.mark.parametrize("count", COUNTS)
async def test_sqlite_a_process_dies_at_random_moments(site: Site, simulator: TelegramSimulator, count: int) -> None:
    await die_sometime(a_seed(), count, [Process(site=site)], Crowd(simulator))


@pytest.mark.slow
async def test_postgres_a_process_dies_at_random_moments(shared_site: Site, simulator: TelegramSimulator) -> None:
    await die_sometime(a_seed(), MOMENTS, [Process(site=shared_site)], Crowd(simulator))


@pytest.mark.parametrize("count", COUNTS)
async def test_postgres_one_of_two_processes_dies_at_random_moments(
    shared_site: Site, simulator: TelegramSimulator, count: int
) -> None:
    processes = [Process(site=shared_site, name=name) for name in ("one", "two")]
    await die_sometime(a_seed(), count, processes, Crowd(simulator))
