"""Load: every room asks again as soon as it has its answer, a bounded number at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from benchmarks.bench import ANSWER_SECONDS, Bench
from benchmarks.stubs import Question

LOOK_SECONDS = 0.25


@dataclass(kw_only=True, slots=True)
class Load:
    """A closed loop of people."""

    bench: Bench
    rooms: deque[int]
    at_once: int
    most: int
    """Questions at most."""
    seconds: float
    """How long new questions are asked."""
    asked: list[Question] = field(default_factory=list)
    waiting: dict[int, Question] = field(default_factory=dict)
    began: float = 0.0

    async def run(self) -> None:
        """Ask until the number or the time is reached and every answer is here or given up."""
        self.began = perf_counter()
        self._fill()
        while self.waiting and self.bench.bot.alive:
            await asyncio.sleep(LOOK_SECONDS)
            self._give_up()
            self._fill()

    @property
    def answered(self) -> Sequence[Question]:
        return [one for one in self.asked if one.answered]

    @property
    def per_second(self) -> float:
        """Return answers a second, up to the last of them."""
        answered = self.answered
        last = max((one.answered for one in answered), default=self.began)
        return len(answered) / max(last - self.began, 1e-9)

    def _fill(self) -> None:
        open_until = self.began + self.seconds
        while self.rooms and len(self.waiting) < self.at_once and len(self.asked) < self.most:
            if perf_counter() > open_until:
                return
            question = self.bench.stubs.ask(self.rooms.popleft(), self._seen)
            self.waiting[question.id] = question
            self.asked.append(question)

    def _seen(self, question: Question) -> None:
        self.waiting.pop(question.id, None)
        self.rooms.append(question.room)
        self._fill()

    def _give_up(self) -> None:
        for question in list(self.waiting.values()):
            if perf_counter() - question.asked > ANSWER_SECONDS:
                question.seen = None
                del self.waiting[question.id]
