"""Soaking: memory before and after many messages over many rooms."""

from __future__ import annotations

from collections import deque

from benchmarks.bench import Bench, Figures
from benchmarks.load import Load

AT_ONCE = 50
MOST_SECONDS = 600.0


async def measure(bench: Bench) -> Figures:
    before = bench.bot.use(memory=True).rss_mb
    rooms = deque(bench.fresh(bench.amounts.soak_rooms))
    load = Load(bench=bench, rooms=rooms, at_once=AT_ONCE, most=bench.amounts.soak_messages, seconds=MOST_SECONDS)
    await load.run()
    after = bench.bot.use(memory=True).rss_mb
    return {
        "soak_messages": len(load.answered),
        "soak_per_s": load.per_second,
        "soak_lost": len(load.asked) - len(load.answered),
        "soak_rss_mb": after,
        "soak_growth_mb": after - before,
    }
