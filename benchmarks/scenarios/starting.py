"""Starting: from the process's start to its first poll and to its first answer."""

from __future__ import annotations

import statistics

from benchmarks.bench import Bench, Figures


async def measure(bench: Bench) -> Figures:
    """The first start makes the database; the others find it. The bot runs afterwards."""
    first_poll, first_answer = await bench.start()
    polls, answers = [], []
    for _ in range(bench.amounts.starts):
        await bench.stop()
        polled, answered = await bench.start()
        polls.append(polled)
        answers.append(answered)
    return {
        "first_start_poll_s": first_poll,
        "first_start_answer_s": first_answer,
        "start_poll_s": statistics.median(polls),
        "start_answer_s": statistics.median(answers),
    }
