"""One at a time: the latency that the bot adds to a model that answers at once."""

from __future__ import annotations

import asyncio

from benchmarks.bench import ANSWER_SECONDS, Bench, Figures, latency_ms, percentile

ROOMS = 20
WARM_UP = 40
GAP_SECONDS = 0.02


async def measure(bench: Bench) -> Figures:
    rooms = bench.fresh(ROOMS)
    questions = []
    for turn in range(WARM_UP + bench.amounts.singles):
        questions.append(await bench.stubs.answer(rooms[turn % ROOMS], ANSWER_SECONDS))
        await asyncio.sleep(GAP_SECONDS)
    took = latency_ms(questions[WARM_UP:])
    return {
        "single_p50_ms": percentile(took, 0.50),
        "single_p95_ms": percentile(took, 0.95),
        "single_lost": bench.amounts.singles - len(took),
    }
