"""Depth: the latency in a thread of 10, of 1,000 and of 100,000 items. Only ours keeps threads.

The three are asked in turn, so that whatever else the machine does falls on all of them alike.
"""

from __future__ import annotations

import asyncio
import statistics
from pathlib import Path

from benchmarks.bench import ANSWER_SECONDS, Bench, Figures, latency_ms
from benchmarks.seed import Past, seed
from benchmarks.stubs import Question

DEPTHS = (10, 1_000, 100_000)
WARM_UP = 5
GAP_SECONDS = 0.02


async def measure(bench: Bench, home: Path, database: str) -> Figures:
    rooms = dict(zip(DEPTHS, bench.fresh(len(DEPTHS)), strict=True))
    for room in rooms.values():
        await bench.stubs.answer(room, ANSWER_SECONDS)
    await bench.stop()
    await seed(home, database, [Past(chat=room, items=items) for items, room in rooms.items()])
    await bench.start()
    asked: dict[int, list[Question]] = {items: [] for items in DEPTHS}
    for _ in range(WARM_UP + bench.amounts.depth_rounds):
        for items, room in rooms.items():
            asked[items].append(await bench.stubs.answer(room, ANSWER_SECONDS))
            await asyncio.sleep(GAP_SECONDS)
    figures: Figures = {}
    for items, questions in asked.items():
        took = latency_ms(questions[WARM_UP:])
        figures[f"depth{items}_p50_ms"] = statistics.median(took) if took else float("nan")
    figures["depth_ratio"] = figures[f"depth{DEPTHS[-1]}_p50_ms"] / figures[f"depth{DEPTHS[-2]}_p50_ms"]
    return figures
