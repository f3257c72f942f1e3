"""A control word goes to its command, in the command's own lane."""

from __future__ import annotations

from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.work import Accept, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Name the command."""
    found = rules.find_command(event.text)
    if found is None:
        return None
    return Accept(lane=rules.commands[found.name].lane, command=found.name)


STEP = Step(name="control_word", judge=judge, after=("mention",))
