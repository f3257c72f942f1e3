"""`/model`: the model of this conversation."""

from __future__ import annotations

from collections.abc import Sequence

from bot.command import Command, Invocation, Lane, Outcome, PinModel
from bot.desk import ModelFacts
from bot.replies import Reply
from commands import _choice, texts

AUTO = "auto"


async def model(invocation: Invocation) -> Outcome:
    """Choose a model, go back to the agent's own, or show which one is used."""
    profiles = invocation.desk.models()
    if not profiles:
        return Outcome(reply=Reply(text=texts.NO_MODELS))
    if not invocation.argument:
        return await _show(invocation, profiles)
    if invocation.argument.casefold() == AUTO:
        return Outcome(reply=Reply(text=texts.FOLLOWS_DEFAULT), effects=(PinModel(model=""),))
    return _pin(invocation.argument, profiles)


async def _show(invocation: Invocation, profiles: Sequence[ModelFacts]) -> Outcome:
    pin = (await invocation.desk.thread(invocation.thread_id)).model_pin
    if pin and pin not in {profile.name for profile in profiles}:
        text = texts.vanished_model(pin, profiles[0].name)
    else:
        text = texts.current_model(pin or _choice.default(profiles), pinned=bool(pin))
    return Outcome(reply=Reply(text=text, card=_choice.card(profiles, pin)))


def _pin(word: str, profiles: Sequence[ModelFacts]) -> Outcome:
    named = [profile.name for profile in profiles if word == profile.name]
    named = named or [profile.name for profile in profiles if word.casefold() == profile.name.casefold()]
    if not named:
        nearest = _choice.nearest(word, (profile.name for profile in profiles))
        return Outcome(reply=Reply(text=texts.unknown_model(word, nearest)))
    return Outcome(reply=Reply(text=texts.model_pinned(named[0])), effects=(PinModel(model=named[0]),))


COMMAND = Command(
    name="model",
    summary="Show or choose the model of this conversation.",
    usage="[NAME|auto]",
    handler=model,
    lane=Lane.THREAD,
)
