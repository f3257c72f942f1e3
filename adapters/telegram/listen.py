"""Listen: ask for updates, commit them, and only then confirm them by asking for what comes behind.

The library's own updater confirms what it has only queued, so it is not used.
"""

from __future__ import annotations

from typing import Any

import structlog
from telegram.error import Conflict, EndPointNotFound, InvalidToken, TelegramError

from adapters.telegram import texts
from adapters.telegram.api import Api
from adapters.telegram.errors import translate
from adapters.telegram.inlet import Inlet
from adapters.telegram.receive import ALLOWED_UPDATES
from adapters.telegram.transport import READ_SECONDS, Flooded
from bot.adapter import Deliver
from bot.clock import Clock
from bot.errors import StorageBusy

log = structlog.get_logger("telegram")

BATCH = 100
BACKOFF_SECONDS = 0.5
BACKOFF_MOST_SECONDS = 30.0
REJECTED_SECONDS = 60.0
"""How long to wait before trying a token again that was refused."""


class Poller:
    """Long polling. Only one process may do it for an account, so its delays need no jitter."""

    def __init__(self, api: Api, inlet: Inlet, clock: Clock, *, poll_seconds: int) -> None:
        self._api = api
        self._inlet = inlet
        self._clock = clock
        self._poll_seconds = poll_seconds
        self._offset: int | None = None
        self._failures = 0

    async def run(self, deliver: Deliver) -> None:
        """Receive until cancelled."""
        while True:
            try:
                await self.once(deliver)
            except StorageBusy as error:
                log.warning("updates_not_stored", because=str(error))
                await self._clock.sleep(self._backoff())
            except TelegramError as error:
                await self._clock.sleep(self._pause(error))
            else:
                self._failures = 0

    async def once(self, deliver: Deliver) -> None:
        """Take one batch. Raises `StorageBusy` or `TelegramError`, and then confirms nothing."""
        updates = await self._api.call(
            "getUpdates",
            answer_seconds=self._poll_seconds + READ_SECONDS,
            offset=self._offset,
            limit=BATCH,
            timeout=self._poll_seconds,
            allowed_updates=ALLOWED_UPDATES,
        )
        if not isinstance(updates, list):
            raise TelegramError("the answer holds no updates")
        await self._inlet.take(updates, deliver)
        self._confirm(updates)

    def _confirm(self, updates: list[Any]) -> None:
        ids = [update["update_id"] for update in updates if _has_id(update)]
        if updates and not ids:
            raise TelegramError("the updates have no ids")
        if ids:
            self._offset = max(ids) + 1

    def _pause(self, error: TelegramError) -> float:
        """Log what went wrong and return how long to wait."""
        match error:
            case Flooded():
                log.warning("polling_slowed", seconds=error.seconds)
                return error.seconds
            case InvalidToken() | EndPointNotFound():
                log.error("token_rejected", cure=texts.TOKEN_REJECTED)
                return REJECTED_SECONDS
            case Conflict():
                log.error("polling_conflict", cure=texts.CONFLICT)
            case _:
                log.warning("polling_failed", because=str(translate(error, repeatable=True)))
        return self._backoff()

    def _backoff(self) -> float:
        seconds = min(BACKOFF_MOST_SECONDS, BACKOFF_SECONDS * 2.0 ** min(self._failures, 10))
        self._failures += 1
        return seconds


def _has_id(update: Any) -> bool:
    return isinstance(update, dict) and type(update.get("update_id")) is int
