"""Lanes: runs in order within each thread, side by side across threads; control words beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

import structlog

from bot import texts
from bot.clock import Clock
from bot.command import Outcome, Rerun
from bot.delivery import Delivery
from bot.errors import Fenced, StorageBusy
from bot.live import LiveRun
from bot.outlets import Outlets, platform_of
from bot.ports import Engine
from bot.replies import Part, Reply
from bot.waiting import until
from bot.watch import Watch
from bot.work import Claim, ControlClaim, ControlFinish, Finish, Finished, RunOutcome

log = structlog.get_logger("lanes")

POLL_SECONDS = 2.0
"""How often the database is asked for work that nobody told us of."""

RETRY_SECONDS = 1.0


class Runner(Protocol):
    """Whoever answers conversation."""

    async def run(self, claim: Claim, live: LiveRun) -> Finished:
        """Work on a run up to its committed end. Raises `Fenced` and `StorageBusy`."""
        ...


Answerer = Callable[[str, ControlClaim], Awaitable[Outcome]]
"""Answers a control word: its name and where it was said."""


class Lanes:
    """Carries every claim to its end."""

    def __init__(
        self,
        engine: Engine,
        delivery: Delivery,
        outlets: Outlets,
        clock: Clock,
        watch: Watch,
        *,
        at_once: int,
        attempts: int,
    ) -> None:
        self._engine = engine
        self._delivery = delivery
        self._outlets = outlets
        self._clock = clock
        self._watch = watch
        self._at_once = at_once
        self._attempts = attempts
        self._runner: Runner | None = None
        self._answer: Answerer | None = None
        self._live: dict[int, LiveRun] = {}
        self._began: dict[int, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy = 0
        self._queued = 0
        self._draining = False
        self._woken = asyncio.Event()
        self._heart: Callable[[], None] = lambda: None

    def staff(self, runner: Runner, answer: Answerer) -> None:
        """Say who works: the agent on conversation, the commands on control words."""
        self._runner = runner
        self._answer = answer

    @property
    def free(self) -> int:
        """How many more runs may begin here."""
        return 0 if self._draining else max(0, self._at_once - self._busy)

    @property
    def running(self) -> int:
        return self._busy

    @property
    def queued(self) -> int:
        """How many runs waited, over the whole installation, when we last looked."""
        return self._queued

    @property
    def draining(self) -> bool:
        """No further run may begin here."""
        return self._draining

    def seconds_of(self, run_id: int) -> float:
        """Return how long a run has been going on here."""
        began = self._began.get(run_id)
        return 0.0 if began is None else self._clock.monotonic() - began

    @property
    def idle(self) -> bool:
        """Nothing is being worked on, and nothing is about to be."""
        return not self._tasks

    def wake(self) -> None:
        """Look for work now."""
        self._woken.set()

    def wake_at(self, when: datetime) -> None:
        """Look for work then."""
        seconds = (when - self._clock.now()).total_seconds()
        if seconds <= 0:
            self.wake()
        else:
            self._spawn(self._wake_later(seconds))

    async def _wake_later(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self.wake()

    def start(self, claim: Claim) -> None:
        """Carry a claim to its end, and the runs of its thread that follow."""
        self._busy += 1
        self._spawn(self._carry(claim))

    def control(self, claim: ControlClaim) -> None:
        """Answer a control word."""
        self._spawn(self._control(claim))

    def cancel(self, run_id: int) -> None:
        """Stop a run that goes on here."""
        live = self._live.get(run_id)
        if live is not None:
            live.cancel()

    def beat(self, heart: Callable[[], None]) -> None:
        """Call `heart` whenever the poll comes round."""
        self._heart = heart

    async def poll(self) -> None:
        """Look for work until cancelled: what was left by the dead, what is due, what others told us of."""
        while True:
            self._woken.clear()
            self._heart()
            try:
                await self._look()
            except StorageBusy as error:
                log.warning("poll_failed", because=str(error))
            await until(self._woken, self._clock, POLL_SECONDS)

    async def _look(self) -> None:
        now = self._clock.now()
        if self.free:
            for claim in await self._engine.claim(self.free, now):
                self.start(claim)
        if not self._draining:
            for control in await self._engine.claim_control(None, now):
                self.control(control)
            await self._delivery.take()
        self._queued = await self._engine.queued()
        for run_id in await self._engine.cancelled(list(self._live)):
            self.cancel(run_id)

    async def drain(self, seconds: float) -> None:
        """Take nothing new, and give runs this long to end; what remains is given back."""
        self._draining = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        await self.drop()

    async def drop(self) -> None:
        """Stop all work at once; what was claimed is given back."""
        self._draining = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- runs -------------------------------------------------------------------------------------------

    async def _carry(self, first: Claim) -> None:
        claim: Claim | None = first
        try:
            while claim is not None:
                finished = await self._one(claim)
                self._delivery.add(finished.rows, finished.room_lease)
                claim = finished.next
                if finished.more:
                    self.wake()
        except Fenced as error:
            log.info("run_lost", because=str(error))
        except StorageBusy as error:
            assert claim is not None
            log.warning("run_interrupted", run=claim.run_id, because=str(error))
            await self._give_back(claim, counted=True)
        except asyncio.CancelledError:
            assert claim is not None
            await self._give_back(claim, counted=False, tries=1)
            raise
        finally:
            if self._busy >= self._at_once:
                self.wake()
            self._busy -= 1

    async def _one(self, claim: Claim) -> Finished:
        if claim.row is not None:
            self._delivery.add([claim.row], claim.room_lease)
        live = LiveRun(lambda text: self._show(claim, text))
        self._live[claim.run_id] = live
        started = self._began[claim.run_id] = self._clock.monotonic()
        log.debug("run_started", run=claim.run_id, thread=claim.thread_id, attempt=claim.attempt, command=claim.command)
        try:
            finished = await self._work(claim, live)
        finally:
            del self._live[claim.run_id], self._began[claim.run_id]
            self._watch.ran(self._clock.monotonic() - started)
        return finished

    def _show(self, claim: Claim, text: str) -> None:
        if claim.row is not None:
            self._delivery.show(claim.row, text)

    async def _work(self, claim: Claim, live: LiveRun) -> Finished:
        if claim.attempt > self._attempts:
            error = f"given up after {self._attempts} tries"
            return await self._apologise(claim, error)
        try:
            return await self._attempt(claim, live)
        except (Fenced, StorageBusy):
            raise
        except Exception as error:
            log.error("run_failed", run=claim.run_id, thread=claim.thread_id, exc_info=error)
            return await self._apologise(claim, f"{type(error).__name__}: {error}")

    async def _attempt(self, claim: Claim, live: LiveRun) -> Finished:
        assert self._runner is not None, "staff() comes before work"
        if not claim.command:
            return await self._runner.run(claim, live)
        if claim.cancelled or not claim.events:
            return await self._end(claim, Outcome(reply=Reply(text=texts.STOPPED)))
        outcome = await self._say(claim)
        if not any(isinstance(effect, Rerun) for effect in outcome.effects):
            return await self._end(claim, outcome)
        again = await self._engine.rerun(claim, self._clock.now())
        if not any(item.kind == "user" for item in again.history):
            return await self._end(again, Outcome(reply=Reply(text=texts.NOTHING_TO_RETRY)))
        if again.row is not None:
            self._delivery.add([again.row], again.room_lease)
        return await self._runner.run(again, LiveRun(lambda text: self._show(again, text)))

    async def _say(self, claim: Claim) -> Outcome:
        assert self._answer is not None
        control = ControlClaim(
            inbox_id=0,
            thread_id=claim.thread_id,
            command=claim.command,
            event=claim.events[-1],
            requester=claim.requester,
        )
        return await self._answer(claim.command, control)

    async def _end(self, claim: Claim, outcome: Outcome) -> Finished:
        return await self._engine.finish(
            Finish(
                claim=claim,
                outcome=RunOutcome.SUCCESS,
                parts=self._render(claim.room.key, outcome.reply),
                effects=outcome.effects,
                may_claim=not self._draining,
                now=self._clock.now(),
            )
        )

    async def _apologise(self, claim: Claim, error: str) -> Finished:
        self._watch.failed(claim.room.platform, "run")
        return await self._engine.finish(
            Finish(
                claim=claim,
                outcome=RunOutcome.ERROR,
                parts=self._render(claim.room.key, Reply(text=texts.APOLOGY)),
                error=error,
                may_claim=not self._draining,
                now=self._clock.now(),
            )
        )

    def _render(self, room_key: str, reply: Reply) -> tuple[Part, ...]:
        return self._outlets[platform_of(room_key)].adapter.render(reply)

    async def _give_back(self, claim: Claim, *, counted: bool, tries: int = 30) -> None:
        """Queue a run again, so that it is worked on anew; keeps at it while the database is busy."""
        for _ in range(tries):
            try:
                await self._engine.give_back(claim, counted=counted, now=self._clock.now())
                return
            except Fenced:
                return
            except StorageBusy as error:
                log.warning("run_not_given_back", run=claim.run_id, because=str(error))
                await self._clock.sleep(RETRY_SECONDS)

    # --- control words ------------------------------------------------------------------------------------

    async def _control(self, claim: ControlClaim) -> None:
        try:
            outcome = await self._control_outcome(claim)
            finish = ControlFinish(
                claim=claim,
                parts=self._render(claim.event.room.key, outcome.reply),
                effects=outcome.effects,
                now=self._clock.now(),
            )
            finished = await self._insist(finish)
        except Fenced:
            return
        self._delivery.add(finished.rows, finished.room_lease)
        for run_id in finished.stopped:
            self.cancel(run_id)
        if finished.stopped:
            self.wake()

    async def _control_outcome(self, claim: ControlClaim) -> Outcome:
        assert self._answer is not None, "staff() comes before work"
        try:
            return await self._answer(claim.command, claim)
        except StorageBusy:
            return Outcome(reply=Reply(text=texts.BUSY))
        except Exception as error:
            log.error("command_failed", command=claim.command, exc_info=error)
            return Outcome(reply=Reply(text=texts.APOLOGY))

    async def _insist(self, finish: ControlFinish) -> Any:
        while True:
            try:
                return await self._engine.finish_control(replace(finish, now=self._clock.now()))
            except StorageBusy as error:
                log.warning("control_not_stored", because=str(error))
                await self._clock.sleep(RETRY_SECONDS)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("lane_stopped", exc_info=error)
