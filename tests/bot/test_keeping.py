"""What goes on for ever goes on after a fault."""

from __future__ import annotations

import asyncio

from bot.keeping import keep
from tests.support.hand_clock import HandClock
from tests.support.until import until


async def test_work_that_fails_begins_anew(clock: HandClock) -> None:
    began: list[int] = []

    async def work() -> None:
        began.append(len(began))
        if len(began) < 3:
            raise ValueError("a fault of ours")

    task = asyncio.ensure_future(keep("work", work, clock))
    for _ in range(2):
        await until(lambda: clock.sleepers > 0)
        clock.move(10)
    await task
    assert began == [0, 1, 2]


async def test_cancelling_ends_the_work(clock: HandClock) -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.ensure_future(keep("work", work, clock))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert ended.is_set()
