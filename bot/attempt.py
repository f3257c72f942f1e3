"""Attempt: one claim worked on up to its committed end, by the agent or by a command."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import structlog

from bot import texts
from bot.clock import Clock
from bot.command import Outcome, Rerun
from bot.errors import Fenced, StorageBusy
from bot.live import LiveRun
from bot.outlets import Outlets, platform_of
from bot.ports import Engine
from bot.replies import Part, Reply
from bot.watch import Watch
from bot.work import Claim, ControlClaim, Finish, Finished, RunOutcome

log = structlog.get_logger("lanes")


class Runner(Protocol):
    """Whoever answers conversation."""

    async def run(self, claim: Claim, live: LiveRun) -> Finished:
        """Work on a run up to its committed end. Raises `Fenced` and `StorageBusy`."""
        ...


Answerer = Callable[[str, ControlClaim], Awaitable[Outcome]]
"""Answers a control word: its name and where it was said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Staff:
    """Who works: the agent on conversation, the commands on control words."""

    runner: Runner
    answer: Answerer


class Attempts:
    """Works on claims. One fault of ours ends one run, with an apology."""

    def __init__(
        self, engine: Engine, outlets: Outlets, clock: Clock, watch: Watch, *, most: int, draining: Callable[[], bool]
    ) -> None:
        self._engine = engine
        self._outlets = outlets
        self._clock = clock
        self._watch = watch
        self._most = most
        self._draining = draining

    async def work(self, claim: Claim, live: LiveRun, staff: Staff, reserved: Callable[[Claim], None]) -> Finished:
        """Work on a claim; `reserved` is told of a claim whose answer was reserved only now.

        Raises `Fenced` and `StorageBusy`.
        """
        if claim.attempt > self._most:
            return await self._apologise(claim, f"given up after {self._most} tries")
        try:
            return await self._attempt(claim, live, staff, reserved)
        except (Fenced, StorageBusy):
            raise
        except Exception as error:
            log.error("run_failed", run=claim.run_id, thread=claim.thread_id, exc_info=error)
            return await self._apologise(claim, f"{type(error).__name__}: {error}")

    async def _attempt(self, claim: Claim, live: LiveRun, staff: Staff, reserved: Callable[[Claim], None]) -> Finished:
        if not claim.command:
            return await staff.runner.run(claim, live)
        if claim.cancelled or not claim.events:
            return await self._end(claim, Outcome(reply=Reply(text=texts.STOPPED)))
        outcome = await staff.answer(claim.command, _as_control(claim))
        if not any(isinstance(effect, Rerun) for effect in outcome.effects):
            return await self._end(claim, outcome)
        again = await self._engine.rerun(claim, self._clock.now())
        if not any(item.kind == "user" for item in again.history):
            return await self._end(again, Outcome(reply=Reply(text=texts.NOTHING_TO_RETRY)))
        reserved(again)
        return await staff.runner.run(again, live)

    async def _end(self, claim: Claim, outcome: Outcome) -> Finished:
        return await self._engine.finish(
            Finish(
                claim=claim,
                outcome=RunOutcome.SUCCESS,
                parts=self.render(claim.room.key, outcome.reply),
                effects=outcome.effects,
                may_claim=not self._draining(),
                now=self._clock.now(),
            )
        )

    async def _apologise(self, claim: Claim, error: str) -> Finished:
        self._watch.failed(claim.room.platform, "run")
        return await self._engine.finish(
            Finish(
                claim=claim,
                outcome=RunOutcome.ERROR,
                parts=self.render(claim.room.key, Reply(text=texts.APOLOGY)),
                error=error,
                may_claim=not self._draining(),
                now=self._clock.now(),
            )
        )

    def render(self, room_key: str, reply: Reply) -> tuple[Part, ...]:
        """Render a reply for the platform of a room."""
        return self._outlets[platform_of(room_key)].adapter.render(reply)


def _as_control(claim: Claim) -> ControlClaim:
    """Return a command of the thread lane as commands know where they were said."""
    return ControlClaim(
        inbox_id=0,
        thread_id=claim.thread_id,
        command=claim.command,
        event=claim.events[-1],
        requester=claim.requester,
    )
