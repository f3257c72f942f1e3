"""An edited or deleted message changes what is stored of it and is never answered anew."""

from __future__ import annotations

from bot.events import Event, Kind
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Amend, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Amend the stored message."""
    if event.kind is Kind.EDIT:
        return Amend(text=event.text)
    if event.kind is Kind.DELETE:
        return Amend(text=None)
    return None


STEP = Step(name="edits", judge=judge, after=("other_bots",))
