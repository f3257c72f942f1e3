"""What the bot itself said is never answered."""

from __future__ import annotations

from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Drop, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Drop our own words."""
    author = event.author
    if author.is_us or (author.id and author.id == rules.account):
        return Drop(because="our own message")
    return None


STEP = Step(name="own_message", judge=judge, after=("moved",))
