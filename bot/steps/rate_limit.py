"""Over the limit means later, with one notice; never lost."""

from __future__ import annotations

from datetime import timedelta

from bot import texts
from bot.command import Lane
from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Accept, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Let it wait as long as the limiter says; control words never wait, so that `/stop` stops."""
    pace = rules.pace
    if pace.wait_seconds <= 0 or _beside(event, rules):
        return None
    return Accept(
        not_before=rules.now + timedelta(seconds=pace.wait_seconds),
        notice=rules.say(_notice(rules)) if pace.notice else (),
    )


def _beside(event: Event, rules: Rules) -> bool:
    found = rules.find_command(event.text)
    return found is not None and rules.commands[found.name].lane is Lane.CONTROL


def _notice(rules: Rules) -> str:
    if rules.pace.room:
        return texts.room_too_fast(rules.pace.wait_seconds, rules.limits.room_messages_per_minute)
    return texts.too_fast(rules.pace.wait_seconds, rules.limits.messages_per_minute)


STEP = Step(name="rate_limit", judge=judge, after=("control_word",))
