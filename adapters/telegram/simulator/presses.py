"""Presses: buttons that people pressed, until the bot has answered. https://core.telegram.org/bots/api#callbackquery"""

from __future__ import annotations

from dataclasses import dataclass

from adapters._shared.simulator.people import Person
from adapters.telegram.simulator.limits import QUERY_SECONDS
from adapters.telegram.simulator.message import Message
from adapters.telegram.simulator.refusals import bad
from bot.clock import Clock


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    """What the person who pressed is told."""

    text: str = ""
    alert: bool = False
    url: str = ""


@dataclass(slots=True)
class Press:
    """One press."""

    id: str
    person: Person
    message: Message
    data: str
    bot_id: int
    at: float
    answer: Notice | None = None


class Presses:
    """All presses, by id."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._by_id: dict[str, Press] = {}

    def add(self, *, person: Person, message: Message, data: str, bot_id: int) -> Press:
        number = str(7_700_000_000_000_000 + len(self._by_id) + 1)
        press = Press(id=number, person=person, message=message, data=data, bot_id=bot_id, at=self._clock.monotonic())
        self._by_id[number] = press
        return press

    def get(self, press_id: str) -> Press | None:
        return self._by_id.get(press_id)

    def answer(self, press_id: str, bot_id: int, notice: Notice) -> Press:
        """Keep the bot's answer; raises when the press is unknown or too old."""
        press = self._by_id.get(press_id)
        if press is None or press.bot_id != bot_id or self._clock.monotonic() - press.at > QUERY_SECONDS:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        if press.answer is None:
            press.answer = notice
        return press
