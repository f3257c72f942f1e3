"""What asks nothing of us: reactions, people who come and go, messages with nothing in them."""

from __future__ import annotations

from bot.events import Event, Kind
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Drop, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Drop what cannot be answered."""
    if event.kind is Kind.REACTION or event.kind is Kind.MEMBERSHIP:
        return Drop(because=f"a {event.kind.value}")
    if event.kind is Kind.MESSAGE and not (event.text.strip() or event.files or event.mentions_bot):
        return Drop(because="an empty message")
    return None


STEP = Step(name="unheard", judge=judge, after=("edits",))
