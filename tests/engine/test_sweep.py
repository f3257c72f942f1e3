"""Sweep: the engine dies at every commit and every platform call of a script of 200 messages, and nobody notices."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
import structlog

from bot import failpoint
from tests.engine.conftest import Opener
from tests.support.crash import Moment, Reaper, Stage
from tests.support.paper import Desk
from tests.support.script import KINDS, Piece, piece, script
from tests.support.verdict import check_room, check_steps, stored
from tests.support.world import room


@pytest.fixture(autouse=True)
def quiet_log() -> Iterator[None]:
    """A crash logs much that nobody reads."""
    with structlog.testing.capture_logs():
        yield
    failpoint.arm(None)


async def sweep(stage: Stage, kind: str, *, reserves: bool) -> int:
    """Die at every point of a piece, each time in a room of its own; return at how many."""
    dry = await trial(stage, kind, f"{kind}.dry", Moment(), reserves=reserves)
    moments = [Moment(name=name, nth=nth) for name, count in dry.seen.items() for nth in range(1, count + 1)]
    deaths = 0
    for number, moment in enumerate(moments):
        reaper = await trial(stage, kind, f"{kind}.{number}", moment, reserves=reserves)
        deaths += reaper.struck
    # Follow-ups may be merged otherwise than in the dry run, which has then fewer points of a name.
    assert deaths >= len(moments) * 2 // 3
    return deaths


async def trial(stage: Stage, kind: str, name: str, moment: Moment, *, reserves: bool) -> Reaper:
    rooms = [[piece(kind, name, name)]]
    acknowledged: set[int] = set()
    stage.ledger.clear()
    reaper = await stage.life(rooms, acknowledged, moment)
    if reaper.struck:
        await stage.recover(rooms, acknowledged)
    await verify(stage, rooms, crashes=int(reaper.struck), strays=int(reaper.struck and reserves))
    return reaper


async def verify(stage: Stage, rooms: Sequence[Sequence[Piece]], *, crashes: int, strays: int) -> None:
    keys = [room(pieces[0].chat).key for pieces in rooms]
    known = await stage.read(stored, keys)
    for pieces in rooms:
        check_room(pieces, stage.desk, known, strays=strays)
    check_steps(known, stage.ledger, crashes=crashes)


@pytest.mark.parametrize("reserves", [True, False], ids=["reserving", "looking"])
@pytest.mark.parametrize("kind", list(KINDS))
async def test_every_point(opener: Opener, desk: Desk, kind: str, reserves: bool) -> None:
    stage = Stage(opener, desk, reserves=reserves)
    print(await sweep(stage, kind, reserves=reserves))
    await stage.close()
