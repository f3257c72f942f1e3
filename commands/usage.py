"""`/usage`: what the models took."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.command import Command, Invocation, Outcome
from bot.desk import UsageLine
from bot.people import Role
from bot.replies import Reply
from commands import texts

DAYS = 30

Scope = tuple[str, Sequence[UsageLine], Sequence[UsageLine]]


async def usage(invocation: Invocation) -> Outcome:
    """Sum up today and 30 days: of the person, of the room, and for administrators of everyone."""
    scopes = [
        await _scope(invocation, "You", person_id=invocation.person.id),
        await _scope(invocation, "This room", room_key=invocation.room_key),
    ]
    if invocation.person.role >= Role.ADMIN:
        scopes.append(await _scope(invocation, "Everyone"))
    return Outcome(reply=Reply(text=texts.usage(scopes)))


async def _scope(
    invocation: Invocation, name: str, *, person_id: int | None = None, room_key: str | None = None
) -> Scope:
    desk = invocation.desk
    midnight = desk.now().replace(hour=0, minute=0, second=0, microsecond=0)
    today = await desk.usage(since=midnight, person_id=person_id, room_key=room_key)
    month = await desk.usage(since=midnight - timedelta(days=DAYS - 1), person_id=person_id, room_key=room_key)
    return name, today, month


COMMAND = Command(name="usage", summary="Tell what the models took, in tokens and money.", handler=usage)
