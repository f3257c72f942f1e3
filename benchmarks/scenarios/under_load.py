"""Under load: messages a second, their latency and their CPU at 32 and at 50 rooms that never pause."""

from __future__ import annotations

from collections import deque
from time import perf_counter

from benchmarks.bench import Bench, Figures, latency_ms, percentile
from benchmarks.load import Load

ROOMS = (32, 50)
NO_LIMIT = 10**9


async def measure(bench: Bench) -> Figures:
    figures: Figures = {}
    for rooms in ROOMS:
        await _load(bench, rooms, most=rooms * 4).run()
        load = _load(bench, rooms, most=NO_LIMIT)
        before, began = bench.bot.use(), perf_counter()
        await load.run()
        after, seconds = bench.bot.use(), perf_counter() - began
        took = latency_ms(load.asked)
        figures |= {
            f"load{rooms}_per_s": load.per_second,
            f"load{rooms}_p50_ms": percentile(took, 0.50),
            f"load{rooms}_p95_ms": percentile(took, 0.95),
            f"load{rooms}_cpu_s_per_1k": (after.cpu - before.cpu) * 1000 / max(1, len(took)),
            f"load{rooms}_waited": (after.waited - before.waited) / seconds,
            f"load{rooms}_lost": len(load.asked) - len(took),
            f"load{rooms}_shown_twice": sum(len(one.messages) > 1 for one in load.asked),
        }
    return figures


def _load(bench: Bench, rooms: int, *, most: int) -> Load:
    seconds = bench.amounts.seconds
    return Load(bench=bench, rooms=deque(bench.fresh(rooms)), at_once=rooms, most=most, seconds=seconds)
