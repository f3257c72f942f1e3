"""`/new`: begin a new conversation in this room."""

from __future__ import annotations

from bot.command import Command, Invocation, Lane, NewThread, Outcome
from bot.replies import Reply
from commands import texts


async def new(invocation: Invocation) -> Outcome:
    """Give the room a fresh thread."""
    return Outcome(reply=Reply(text=texts.NEW), effects=(NewThread(),))


COMMAND = Command(name="new", summary="Begin a new conversation here.", handler=new, lane=Lane.THREAD)
