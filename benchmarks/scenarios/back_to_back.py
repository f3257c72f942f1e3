"""Back to back: several messages at once in each room. Which are lost, merged, answered out of order?"""

from __future__ import annotations

import asyncio
import contextlib

from benchmarks.bench import ANSWER_SECONDS, Bench, Figures
from benchmarks.stubs import Question

ROOMS = 10
DEPTH = 5


async def measure(bench: Bench) -> Figures:
    complete = asyncio.Event()
    left = ROOMS * DEPTH

    def seen(_question: Question) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            complete.set()

    rooms = {room: [bench.stubs.ask(room, seen) for _ in range(DEPTH)] for room in bench.fresh(ROOMS)}
    asked = [question for questions in rooms.values() for question in questions]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(complete.wait(), ANSWER_SECONDS)
    return {
        "order_lost": sum(not question.answered for question in asked),
        "order_rooms_disturbed": sum(_disturbed(bench, questions) for questions in rooms.values()),
        "order_replies": len({message for question in asked for message in question.messages}),
    }


def _disturbed(bench: Bench, questions: list[Question]) -> bool:
    seen = [question.id for question in bench.stubs.answers if question in questions]
    return seen != sorted(seen)
