"""Inlet: raw updates to intake, in order; what is malformed is counted and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import structlog

from adapters.telegram.api import Api
from adapters.telegram.chores import Chores
from adapters.telegram.facts import NAME
from adapters.telegram.mentions import Us
from adapters.telegram.receive import receive
from bot.adapter import Deliver
from bot.clock import Clock
from bot.events import Event

log = structlog.get_logger("telegram")


class Inlet:
    """The one way in, for polling and webhook alike."""

    def __init__(self, api: Api, clock: Clock, chores: Chores, malformed: Callable[[str], None]) -> None:
        self._api = api
        self._clock = clock
        self._chores = chores
        self._malformed = malformed
        self.skipped = 0
        """Malformed updates so far."""

    async def take(self, updates: Sequence[Any], deliver: Deliver) -> None:
        """Commit what the updates say. Raises `StorageBusy`: nothing may be acknowledged then."""
        us = Us(id=self._api.id, username=self._api.username)
        events = [event for update in updates if (event := self._read(update, us)) is not None]
        if events:
            await deliver(events)
        for query_id in _clicks(updates):
            # Until it is answered, the button that was pressed shows a spinner.
            self._chores.start(
                "answer_click", partial(self._api.call, "answerCallbackQuery", callback_query_id=query_id)
            )

    def _read(self, update: Any, us: Us) -> Event | None:
        try:
            return receive(update if isinstance(update, dict) else {}, us, self._clock.now())
        except ValueError as error:
            self.skipped += 1
            self._malformed(NAME)
            log.warning("update_skipped", because=str(error), skipped=self.skipped)
            return None


def _clicks(updates: Sequence[Any]) -> Iterator[str]:
    for update in updates:
        match update:
            case {"callback_query": {"id": str(query_id)}}:
                yield query_id
