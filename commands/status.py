"""`/status`: what goes on in this conversation."""

from __future__ import annotations

from collections.abc import Sequence

from bot.cards import Action, Card, Style
from bot.command import Command, Invocation, Outcome
from bot.desk import ModelFacts
from bot.replies import Reply
from commands import _choice, texts


async def status(invocation: Invocation) -> Outcome:
    """Tell whether something runs here, with a button to stop it."""
    desk = invocation.desk
    facts = await desk.thread(invocation.thread_id)
    text = texts.status(facts, now=desk.now(), model=_model(facts.model_pin, desk.models()))
    return Outcome(reply=Reply(text=text, card=_stop() if facts.running or facts.queued else None))


def _model(pin: str, profiles: Sequence[ModelFacts]) -> str:
    """Tell which model answers here, and why it does."""
    if not profiles:
        return texts.NO_MODEL
    if not pin:
        return texts.default_model(_choice.default(profiles))
    if pin in {profile.name for profile in profiles}:
        return texts.pinned_model(pin)
    return texts.in_place_of(pin, profiles[0].name)


def _stop() -> Card:
    return Card(actions=(Action(label="Stop", value="/stop", style=Style.DANGER),))


COMMAND = Command(name="status", summary="Tell what I am doing here.", handler=status)
