"""Work that goes on until something else happens first."""

from __future__ import annotations

import asyncio

import pytest

from agent.racing import Overtaken, before


async def never() -> None:
    await asyncio.Event().wait()


async def at_once() -> str:
    return "done"


async def test_work_that_ends_first_is_returned() -> None:
    assert await before(never(), at_once()) == "done"


async def test_work_that_is_overtaken_has_ended() -> None:
    ended = asyncio.Event()

    async def slow() -> None:
        try:
            await never()
        finally:
            ended.set()

    with pytest.raises(Overtaken):
        await before(asyncio.sleep(0), slow())
    assert ended.is_set()


async def test_what_the_work_raises_is_raised() -> None:
    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await before(never(), fail())


async def test_work_that_cancels_itself_does_not_cancel_us() -> None:
    async def give_up() -> None:
        raise asyncio.CancelledError

    with pytest.raises(Overtaken):
        await before(never(), give_up())


async def test_nothing_goes_on_when_we_are_cancelled() -> None:
    ended, began = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        began.set()
        try:
            await never()
        finally:
            ended.set()

    racing = asyncio.ensure_future(before(never(), slow()))
    await began.wait()
    racing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await racing
    assert ended.is_set()
