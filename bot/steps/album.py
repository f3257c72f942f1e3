"""Files that were sent as one arrive one by one: the run waits until the last is likely here."""

from __future__ import annotations

from datetime import timedelta

from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Accept, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Hold an album for a moment."""
    if not event.group:
        return None
    return Accept(not_before=rules.now + timedelta(seconds=rules.limits.album_seconds))


STEP = Step(name="album", judge=judge, after=("oversize",))
