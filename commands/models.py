"""`/models`: the models that are set up."""

from __future__ import annotations

from bot.command import Command, Invocation, Outcome
from bot.replies import Reply
from commands import _choice, texts


async def models(invocation: Invocation) -> Outcome:
    """List the models, each with a button."""
    profiles = invocation.desk.models()
    if not profiles:
        return Outcome(reply=Reply(text=texts.NO_MODELS))
    pin = (await invocation.desk.thread(invocation.thread_id)).model_pin
    return Outcome(
        reply=Reply(text=texts.models(profiles, pin, _choice.default(profiles)), card=_choice.card(profiles, pin))
    )


COMMAND = Command(name="models", summary="List the models.", handler=models)
