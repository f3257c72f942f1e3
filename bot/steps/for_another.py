"""What is explicitly said to another bot gets no reply, not even a refusal."""

from __future__ import annotations

from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Drop, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Drop words for somebody else."""
    return Drop(because="said to another bot") if event.for_other_bot else None


STEP = Step(name="for_another", judge=judge, after=("unheard",))
