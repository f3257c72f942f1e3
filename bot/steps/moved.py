"""A room has a new address. First of all: such a notice may come in anybody's name, even in ours."""

from __future__ import annotations

from bot.events import Event, Kind
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Drop, Move, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Move the room."""
    if event.kind is not Kind.MOVED:
        return None
    if event.moved_to is None or event.moved_to == event.room:
        return Drop(because="moved nowhere")
    return Move(to=event.moved_to)


STEP = Step(name="moved", judge=judge)
