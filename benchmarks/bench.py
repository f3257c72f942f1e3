"""What every scenario is handed: the stubs, one bot, and how much to measure."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from benchmarks.bots import Bot
from benchmarks.stubs import Question, Stubs

START_SECONDS = 120.0
ANSWER_SECONDS = 20.0

Figures = dict[str, float]
"""What a scenario found, by the name of the measure."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Amounts:
    """How much is measured; `--quick` takes a tenth."""

    starts: int = 5
    singles: int = 200
    seconds: float = 12.0
    soak_messages: int = 10_000
    soak_rooms: int = 1_000
    depth_rounds: int = 80


@dataclass(kw_only=True, slots=True)
class Bench:
    """One bot and its stubs."""

    stubs: Stubs
    bot: Bot
    amounts: Amounts
    rooms: Iterator[int] = field(default_factory=lambda: itertools.count(100_000))

    def fresh(self, count: int) -> list[int]:
        """Return rooms that nobody has talked in."""
        return list(itertools.islice(self.rooms, count))

    async def start(self) -> tuple[float, float]:
        """Start the bot; return the seconds to its first poll and to its first answer."""
        self.stubs.forget()
        began = perf_counter()
        self.bot.start()
        while not self.stubs.polled.is_set():
            await asyncio.sleep(0.002)
            if not self.bot.alive or perf_counter() - began > START_SECONDS:
                raise SystemExit(f"{self.bot.name} did not ask for updates; see {self.bot.log}")
        polled = perf_counter() - began
        question = await self.stubs.answer(self.fresh(1)[0], START_SECONDS)
        if not question.answered:
            raise SystemExit(f"{self.bot.name} did not answer; see {self.bot.log}")
        return polled, question.answered - began

    async def stop(self) -> None:
        await asyncio.to_thread(self.bot.stop)


def latency_ms(questions: Sequence[Question]) -> list[float]:
    """Return the time from asked to wholly answered of each question that was, sorted."""
    return sorted((one.answered - one.asked) * 1000 for one in questions if one.answered)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the sorted values lies; NaN where there are none."""
    if not values:
        return float("nan")
    return values[min(len(values) - 1, int(len(values) * share))]
