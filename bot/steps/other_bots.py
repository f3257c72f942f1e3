"""Other bots are not heard; where they are let in, each room hears only a few of their messages at a time."""

from __future__ import annotations

from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Drop, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Drop what another bot says, or says too often."""
    if not event.author.is_bot:
        return None
    if not rules.access.bots:
        return Drop(because="another bot")
    if rules.pace.bot_capped:
        return Drop(because="other bots spoke often enough here")
    return None


STEP = Step(name="other_bots", judge=judge, after=("own_message",))
