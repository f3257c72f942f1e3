"""One at a time: the latency that the bot adds to a model that answers at once."""

from __future__ import annotations

import asyncio
from time import perf_counter

from benchmarks.bench import ANSWER_SECONDS, Bench, Figures, latency_ms, percentile

ROOMS = 20
WARM_UP = 40
GAP_SECONDS = 0.02


async def measure(bench: Bench) -> Figures:
    rooms = bench.fresh(ROOMS)
    for turn in range(WARM_UP):
        await bench.stubs.answer(rooms[turn % ROOMS], ANSWER_SECONDS)
    questions, began, before = [], perf_counter(), bench.bot.use().waited
    for turn in range(bench.amounts.singles):
        questions.append(await bench.stubs.answer(rooms[turn % ROOMS], ANSWER_SECONDS))
        await asyncio.sleep(GAP_SECONDS)
    took = latency_ms(questions)
    waited = bench.bot.use().waited - before
    return {
        "single_p50_ms": percentile(took, 0.50),
        "single_p95_ms": percentile(took, 0.95),
        "single_waited": waited / (perf_counter() - began),
        "single_lost": bench.amounts.singles - len(took),
    }
