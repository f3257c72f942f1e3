"""A text beyond the limit was cut before it came here; its author is told so."""

from __future__ import annotations

from bot import texts
from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Accept, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Say that the text was cut, and where."""
    if not rules.cut_from:
        return None
    return Accept(notice=rules.say(texts.cut(rules.cut_from, rules.limits.text_characters)))


STEP = Step(name="oversize", judge=judge, after=("rate_limit",))
