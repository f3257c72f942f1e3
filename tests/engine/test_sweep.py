"""Sweep: the engine dies at every commit and every platform call of a script of 200 messages, and nobody notices."""

from __future__ import annotations

import gc
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
import structlog

from bot import failpoint
from tests.engine.conftest import Opener
from tests.support.crash import Moment, Reaper, Stage
from tests.support.paper import Desk
from tests.support.script import KINDS, Piece, piece, script
from tests.support.verdict import check_room, check_steps, stored
from tests.support.world import room

LONGEST_LIFE = 200
"""In the walk a worker lives for at most so many points."""

STEADY = 10_000
"""Tries of a run that nobody gives up, however often its worker dies."""


@pytest.fixture(autouse=True)
def quiet_log() -> Iterator[None]:
    """A crash logs much that nobody reads."""
    with structlog.testing.capture_logs():
        yield
    failpoint.arm(None)
    # Calls that died half-way are collected here, not in the midst of somebody else's test.
    gc.collect()


@pytest.fixture
async def stage(opener: Opener, desk: Desk, reserves: bool) -> AsyncIterator[Stage]:
    stage = Stage(opener, desk, reserves=reserves, attempts=STEADY)
    yield stage
    await stage.close()


async def sweep(stage: Stage, kind: str, name: str) -> None:
    """Die at every point of a piece, each time in a room of its own."""
    dry = await trial(stage, kind, f"{name}.dry", Moment())
    moments = [Moment(name=point, nth=nth) for point, count in dry.seen.items() for nth in range(1, count + 1)]
    reapers = [await trial(stage, kind, f"{name}.{number}", moment) for number, moment in enumerate(moments)]
    # Follow-ups may be merged otherwise than in the dry run, which has then more points of a name than another.
    assert sum(reaper.struck for reaper in reapers) >= len(moments) // 2


async def trial(stage: Stage, kind: str, name: str, moment: Moment) -> Reaper:
    """Play a piece in a room of its own, die at a moment, recover, and check everything."""
    rooms = [[piece(kind, name, name)]]
    acknowledged: set[int] = set()
    stage.ledger.clear()
    reaper = await stage.life(rooms, acknowledged, moment)
    if reaper.struck:
        await stage.recover(rooms, acknowledged)
    await verify(stage, rooms, repeats=int(reaper.struck), strays=int(reaper.struck and stage.reserves))
    return reaper


async def verify(stage: Stage, rooms: Sequence[Sequence[Piece]], *, repeats: int, strays: int) -> None:
    known = await stage.read(stored, [room(pieces[0].chat).key for pieces in rooms])
    for pieces in rooms:
        check_room(pieces, stage.desk, known, strays=strays)
    check_steps(known, stage.ledger, repeats=repeats)


async def walk(stage: Stage, seed: int) -> int:
    """Let the whole script happen in all rooms at once, while workers die one after another; return how many died."""
    dice = random.Random(seed)
    rooms = by_room(script(f"s{seed}."))
    acknowledged: set[int] = set()
    deaths = repeats = 0
    while (await stage.life(rooms, acknowledged, Moment(nth=dice.randint(2, LONGEST_LIFE)))).struck:
        deaths += 1
        repeats += stage.in_flight
    await verify(stage, rooms, repeats=repeats, strays=deaths if stage.reserves else 0)
    return deaths


def by_room(pieces: Sequence[Piece]) -> list[list[Piece]]:
    rooms: dict[str, list[Piece]] = defaultdict(list)
    for one in pieces:
        rooms[one.chat].append(one)
    return list(rooms.values())


both_ways = pytest.mark.parametrize("reserves", [True, False], ids=["reserving", "looking"])

QUICK_ON_POSTGRES = {"plain", "deed", "status"}


def combinations() -> Iterator[object]:
    """Every kind both ways on both databases; what takes long is for `make torture`."""
    for number, kind in enumerate(KINDS):
        for reserves in (True, False):
            turn = reserves == (number % 2 == 0)
            for database in ("sqlite", "postgres"):
                quick = turn and (database == "sqlite" or kind in QUICK_ON_POSTGRES)
                name = f"{database}-{kind}-{'reserving' if reserves else 'looking'}"
                yield pytest.param(database, kind, reserves, id=name, marks=() if quick else pytest.mark.slow)


@pytest.mark.parametrize(("opener", "kind", "reserves"), list(combinations()), indirect=["opener"])
async def test_death_at_every_point_of_each_kind_of_conversation(stage: Stage, kind: str) -> None:
    await sweep(stage, kind, kind)


@pytest.mark.parametrize(
    ("opener", "reserves"),
    [
        pytest.param("sqlite", True, id="sqlite-reserving"),
        pytest.param("sqlite", False, id="sqlite-looking", marks=pytest.mark.slow),
        pytest.param("postgres", True, id="postgres-reserving", marks=pytest.mark.slow),
        pytest.param("postgres", False, id="postgres-looking"),
    ],
    indirect=["opener"],
)
async def test_200_messages_while_workers_die_one_after_another(stage: Stage) -> None:
    assert await walk(stage, seed=1) > 10


@pytest.mark.slow
@pytest.mark.timeout(3600)
@both_ways
async def test_death_at_every_point_of_200_messages(stage: Stage) -> None:
    for number, one in enumerate(script("w")):
        await sweep(stage, one.kind, f"w{number}")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@both_ways
async def test_200_messages_with_many_seeds(stage: Stage) -> None:
    first = random.SystemRandom().randrange(1_000_000)
    for seed in range(first, first + 20):
        print(f"seed {seed}")
        assert await walk(stage, seed) > 10
