"""Control: control words, answered beside whatever run is going on."""

from __future__ import annotations

from dataclasses import replace

import structlog

from bot import texts
from bot.attempt import Answerer, Attempts
from bot.clock import Clock
from bot.command import Outcome
from bot.errors import Fenced, StorageBusy
from bot.ports import Engine
from bot.replies import Reply
from bot.work import ControlClaim, ControlFinish, ControlFinished

log = structlog.get_logger("lanes")

RETRY_SECONDS = 1.0


class ControlWords:
    """Answers control words. One fault of ours ends one word, with an apology."""

    def __init__(self, engine: Engine, attempts: Attempts, clock: Clock) -> None:
        self._engine = engine
        self._attempts = attempts
        self._clock = clock

    async def work(self, claim: ControlClaim, answer: Answerer) -> ControlFinished | None:
        """Answer a control word and commit that; None when somebody else did."""
        outcome = await self._outcome(claim, answer)
        finish = ControlFinish(
            claim=claim,
            parts=self._attempts.render(claim.event.room.key, outcome.reply),
            effects=outcome.effects,
            now=self._clock.now(),
        )
        try:
            return await self._insist(finish)
        except Fenced:
            return None

    async def _outcome(self, claim: ControlClaim, answer: Answerer) -> Outcome:
        try:
            return await answer(claim.command, claim)
        except StorageBusy:
            return Outcome(reply=Reply(text=texts.BUSY))
        except Exception as error:
            log.error("command_failed", command=claim.command, exc_info=error)
            return Outcome(reply=Reply(text=texts.APOLOGY))

    async def _insist(self, finish: ControlFinish) -> ControlFinished:
        while True:
            try:
                return await self._engine.finish_control(replace(finish, now=self._clock.now()))
            except StorageBusy as error:
                log.warning("control_not_stored", because=str(error))
                await self._clock.sleep(RETRY_SECONDS)
