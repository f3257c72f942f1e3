"""In a group the bot answers only who speaks to it, or where it already takes part."""

from __future__ import annotations

from bot.events import Event
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.steps._addressed import addressed
from bot.work import Drop, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Drop what people say to each other."""
    if addressed(event, standing):
        return None
    if event.author.is_bot:
        # Taking part in a room is no reason to answer everything that another bot posts there.
        return Drop(because="a bot that did not mention us")
    if standing.joined or not rules.access.mention_in_groups:
        return None
    found = rules.find_command(event.text)
    # With `!` bots of all kinds are spoken to, so there it takes a mention too.
    if found is not None and found.prefix == "/":
        return None
    return Drop(because="nobody mentioned us")


STEP = Step(name="mention", judge=judge, after=("allowed",))
