"""Run a control word: check the role, call the handler, turn its failure into a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.command import Command, Found, Invocation, Outcome
from bot.desk import Desk
from bot.errors import DeckhandError, NotAllowed, StorageBusy
from bot.events import Event
from bot.people import Person
from bot.replies import Reply
from bot.work import ControlClaim
from commands import texts


class Commands:
    """The commands, with the desk that they ask."""

    def __init__(
        self, registry: Mapping[str, Command], desk: Desk, find_command: Callable[[str], Found | None]
    ) -> None:
        self._registry = registry
        self._desk = desk
        self._find = find_command

    async def answer(self, name: str, claim: ControlClaim) -> Outcome:
        """Answer a claimed control word."""
        return await self.run(name, claim.event, claim.requester, claim.thread_id)

    async def run(
        self, name: str, event: Event, person: Person, thread_id: int, *, room_key: str | None = None
    ) -> Outcome:
        """Answer a control word. Raises `StorageBusy`: whoever asked may try again."""
        command = self._registry[name]
        if person.role < command.role:
            return _say(texts.not_for_you(name, command.role))
        found = self._find(event.text)
        invocation = Invocation(
            name=name,
            argument=found.argument if found is not None else "",
            person=person,
            thread_id=thread_id,
            room_key=room_key or event.room.key,
            direct=event.direct,
            desk=self._desk,
        )
        try:
            return await command.handler(invocation)
        except StorageBusy:
            raise
        except NotAllowed as error:
            return _say(str(error))
        except DeckhandError as error:
            return _say(texts.failed(name, str(error)))


def _say(text: str) -> Outcome:
    return Outcome(reply=Reply(text=text))
