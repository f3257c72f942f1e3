"""`/status`: what goes on in this conversation."""

from __future__ import annotations

from bot.cards import Action, Card, Style
from bot.command import Command, Invocation, Outcome
from bot.replies import Reply
from commands import texts


async def status(invocation: Invocation) -> Outcome:
    """Tell whether something runs here, with a button to stop it."""
    desk = invocation.desk
    facts = await desk.thread(invocation.thread_id)
    names = [profile.name for profile in desk.models()]
    pinned = facts.model_pin in names
    model = facts.model_pin if pinned else names[0] if names else ""
    text = texts.status(facts, now=desk.now(), model=model, pinned=pinned)
    return Outcome(reply=Reply(text=text, card=_stop() if facts.running or facts.queued else None))


def _stop() -> Card:
    return Card(actions=(Action(label="Stop", value="/stop", style=Style.DANGER),))


COMMAND = Command(name="status", summary="Tell what I am doing here.", handler=status)
