"""One system message, and in it one date (seat B7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.hook import Hook
from agent.model import Message, Request, SystemMessage
from agent.prompt import day_of
from agent.turn import Turn
from bot.seat import Decider, Seat, decided

SEATS = (
    Seat(
        id="B7",
        title="One system message",
        who=Decider.CODE,
        rule=(
            "In the request only: all system texts become one leading message, joined by blank lines; of the "
            "sentences that tell the day only the newest stays"
        ),
    ),
)


class OneSystem(Hook):
    """Gathers what the system says at the beginning."""

    name = "one_system"
    seats = SEATS
    after = ("pairing",)

    async def before_model(self, turn: Turn, request: Request) -> Request:
        merged = merge(request.messages)
        if merged is request.messages:
            return request
        count = sum(isinstance(message, SystemMessage) for message in request.messages)
        decided("B7", outcome="merged", because=f"{count} system texts")
        return replace(request, messages=merged)


def merge(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the messages with one leading system message; the same ones where that is so already."""
    system = [message.text for message in messages if isinstance(message, SystemMessage)]
    if not system or (len(system) == 1 and isinstance(messages[0], SystemMessage)):
        return messages
    others = (message for message in messages if not isinstance(message, SystemMessage))
    return (SystemMessage(text="\n\n".join(_one_date(system))), *others)


def _one_date(system: Sequence[str]) -> list[str]:
    """Return the texts with only the newest date, at the end: what stands before it can be cached beyond the day."""
    lasting = [text for text in system if text.strip() and day_of(text) is None]
    dates = [text for text in system if day_of(text) is not None]
    return lasting + sorted(dates, key=lambda text: day_of(text) or "")[-1:]


HOOK = OneSystem()
