"""Idling: memory after the first answer, and CPU while nothing happens."""

from __future__ import annotations

import asyncio

from benchmarks.bench import Bench, Figures

SETTLE_SECONDS = 1.0
SECONDS = 5.0


async def measure(bench: Bench) -> Figures:
    await asyncio.sleep(SETTLE_SECONDS)
    before = bench.bot.use().cpu
    await asyncio.sleep(SECONDS)
    use = bench.bot.use(memory=True)
    return {
        "rss_mb": use.rss_mb,
        "pss_mb": use.pss_mb,
        "threads": use.threads,
        "idle_cpu_percent": (use.cpu - before) / SECONDS * 100,
    }
