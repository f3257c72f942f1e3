"""The command line: which scenarios, how much, on which database."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import shlex
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import uvloop

from benchmarks.bench import Amounts, Bench, Figures
from benchmarks.bots import Bot, bare, deckhand
from benchmarks.disk import commit_ms
from benchmarks.postgres import server
from benchmarks.report import Facts, missed, table
from benchmarks.scenarios import back_to_back, depth, idling, one_at_a_time, soaking, starting, under_load
from benchmarks.stubs import Stubs

RESULTS = Path(__file__).parent / "results"
QUICK = Amounts(starts=2, singles=60, seconds=4.0, soak_messages=1_000, soak_rooms=100, depth_rounds=20)

Scenario = Callable[[Bench], Awaitable[Figures]]
BOTH: Mapping[str, Scenario] = {
    "starting": starting.measure,
    "idling": idling.measure,
    "latency": one_at_a_time.measure,
    "load": under_load.measure,
    "order": back_to_back.measure,
    "soak": soaking.measure,
}
PROFILE_SECONDS = 2.0
"""How long a profile takes to be written."""
OURS_ONLY = "depth"
ALL = (*BOTH, OURS_ONLY)


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What was asked for."""

    scenarios: Sequence[str]
    amounts: Amounts
    database: str
    command: Sequence[str]
    profile: bool


def main() -> None:
    """Measure, print the table, and keep everything as JSON. A missed target is told, not an error."""
    options = _options()
    amounts = QUICK if options.quick else Amounts()
    with tempfile.TemporaryDirectory(prefix="deckhand-bench-", dir=options.work) as folder:
        work = Path(folder)
        with server(work / "postgres") if options.postgres else nullcontext("") as database:
            plan = Plan(
                scenarios=options.only.split(","),
                amounts=amounts,
                database=database,
                command=shlex.split(options.command),
                profile=options.profile,
            )
            facts = uvloop.run(_measure(plan, work))
    _keep(facts, plan)
    if plan.database:
        print("On PostgreSQL. The targets are set for SQLite: read them here as a comparison.\n")
    print(table(facts))
    for title in missed(facts):
        print(f"missed: {title}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Deckhand beside a bare bot.")
    parser.add_argument(
        "--only", default=",".join(ALL), help=f"scenarios, comma separated; all of them: {','.join(ALL)}"
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of everything: for a first look, not for figures")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--profile", action="store_true", help="write where ours spends its CPU under load")
    parser.add_argument("--command", default="", help="start ours in another way, such as from another checkout")
    parser.add_argument("--work", default=None, help="folder on the disk to be measured; the system's own by default")
    return parser.parse_args()


async def _measure(plan: Plan, work: Path) -> Facts:
    commit = commit_ms(work)
    limits, figures = await _side_by_side(plan, work)
    if plan.profile:
        await _profile(plan, work)
    return Facts(ours=figures, bare=limits, commit_ms=commit)


async def _side_by_side(plan: Plan, work: Path) -> tuple[Figures, Figures]:
    """Take each scenario on the bare bot and at once on ours, so that a busy machine disturbs both alike."""
    first, second = Stubs(), Stubs()
    await first.start()
    await second.start()
    benches = [
        Bench(stubs=first, bot=bare(first, work), amounts=plan.amounts),
        Bench(
            stubs=second, bot=deckhand(second, work, database=plan.database, command=plan.command), amounts=plan.amounts
        ),
    ]
    found: list[Figures] = [{}, {}]
    try:
        for name in plan.scenarios:
            for bench, figures in zip(benches, found, strict=True):
                if name in BOTH:
                    figures |= await _take(bench, name)
        if OURS_ONLY in plan.scenarios:
            found[1] |= await depth.measure(benches[1], work / "home", plan.database)
    except SystemExit:
        for bench in benches:
            _show_end(bench.bot)
        raise
    finally:
        for bench in benches:
            await bench.stop()
            await bench.stubs.stop()
    return found[0], found[1]


async def _take(bench: Bench, name: str) -> Figures:
    """Run a scenario on the process that the one before it left."""
    if not bench.bot.alive and name != "starting":
        await bench.start()
    figures = await BOTH[name](bench)
    print(f"{name}: {bench.bot.name} done", file=sys.stderr, flush=True)
    return figures


def _show_end(bot: Bot) -> None:
    if bot.log.exists():
        print("\n".join(bot.log.read_text(errors="replace").splitlines()[-20:]))


async def _profile(plan: Plan, work: Path) -> None:
    """Load ours once more, under a profiler and with a SQLite file of its own; its figures are not used."""
    folder, work = RESULTS / "profile", work / "profiled"
    work.mkdir()
    stubs = Stubs()
    await stubs.start()
    bot = deckhand(stubs, work, profile=folder)
    bench = Bench(stubs=stubs, bot=bot, amounts=plan.amounts)
    await bench.start()
    bot.signal(signal.SIGUSR1)
    await under_load.measure(bench)
    bot.signal(signal.SIGUSR2)
    await asyncio.sleep(PROFILE_SECONDS)
    await bench.stop()
    await stubs.stop()
    print(f"profile: {folder}")


def _keep(facts: Facts, plan: Plan) -> None:
    RESULTS.mkdir(exist_ok=True)
    now = datetime.now(UTC)
    database = "postgresql" if plan.database else "sqlite"
    kept = {
        "at": now.isoformat(timespec="seconds"),
        "database": database,
        "load": os.getloadavg(),
        "amounts": asdict(plan.amounts),
        "commit_ms": facts.commit_ms,
        "deckhand": _plain(facts.ours),
        "bare": _plain(facts.bare),
        "missed": missed(facts),
    }
    (RESULTS / f"{now:%Y%m%d-%H%M%S}-{database}.json").write_text(json.dumps(kept, indent=1) + "\n")


def _plain(figures: Mapping[str, float]) -> Mapping[str, float | None]:
    return {name: None if math.isnan(value) else round(value, 3) for name, value in figures.items()}
