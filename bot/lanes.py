"""Lanes: runs in order within each thread, side by side across threads; control words beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any

import structlog

from bot.attempt import Answerer, Attempts, Runner, Staff
from bot.clock import Clock
from bot.control import ControlWords
from bot.delivery import Delivery
from bot.errors import Fenced, StorageBusy
from bot.live import LiveRun
from bot.outlets import Outlets
from bot.ports import Engine
from bot.waiting import until
from bot.watch import Watch
from bot.work import Claim, ControlClaim, Finished, Row

log = structlog.get_logger("lanes")

POLL_SECONDS = 2.0
"""How often the database is asked for work that nobody told us of."""

RETRY_SECONDS = 1.0

ALARMS = 100
"""How many moments are waited for exactly; beyond that the poll is soon enough."""


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
        self._clock = clock
        self._watch = watch
        self._attempts = Attempts(engine, outlets, clock, watch, most=attempts, draining=lambda: self._draining)
        self._words = ControlWords(engine, self._attempts, clock)
        self._at_once = at_once
        self._staff: Staff | None = None
        self._live: dict[int, LiveRun] = {}
        self._began: dict[int, float] = {}
        self._rows: dict[int, Row] = {}
        """The reserved answers of runs that go on."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarms: set[asyncio.Task[None]] = set()
        self._busy = 0
        self._queued = 0
        self._draining = False
        self._woken = asyncio.Event()
        self._heart: Callable[[], None] = lambda: None

    def staff(self, runner: Runner, answer: Answerer) -> None:
        """Say who works: the agent on conversation, the commands on control words."""
        self._staff = Staff(runner=runner, answer=answer)

    def _on_duty(self) -> Staff:
        assert self._staff is not None, "staff() comes before work"
        return self._staff

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
        return not self._tasks and not self._alarms

    def wake(self) -> None:
        """Look for work now."""
        self._woken.set()

    def wake_at(self, when: datetime) -> None:
        """Look for work then."""
        seconds = (when - self._clock.now()).total_seconds()
        if seconds <= 0:
            self.wake()
        elif len(self._alarms) < ALARMS and not self._draining:
            alarm = asyncio.ensure_future(self._wake_later(seconds))
            self._alarms.add(alarm)
            alarm.add_done_callback(self._alarms.discard)

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
        await _cancel(self._alarms)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        await self.drop()

    async def drop(self) -> None:
        """Stop all work at once; what was claimed is given back."""
        self._draining = True
        await _cancel(self._alarms | self._tasks)

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
        except Exception:
            # Its thread stays ours otherwise, and waits for ever.
            assert claim is not None
            await self._give_back(claim, counted=True)
            raise
        finally:
            if self._busy >= self._at_once:
                self.wake()
            self._busy -= 1

    async def _one(self, claim: Claim) -> Finished:
        self._reserved(claim)
        live = LiveRun(lambda text: self._show(claim, text))
        self._live[claim.run_id] = live
        started = self._began[claim.run_id] = self._clock.monotonic()
        log.debug("run_started", run=claim.run_id, thread=claim.thread_id, attempt=claim.attempt, command=claim.command)
        try:
            finished = await self._attempts.work(claim, live, self._on_duty(), self._reserved)
        finally:
            del self._live[claim.run_id], self._began[claim.run_id]
            self._rows.pop(claim.run_id, None)
            self._watch.ran(self._clock.monotonic() - started)
        return finished

    def _reserved(self, claim: Claim) -> None:
        if claim.row is not None:
            self._rows[claim.run_id] = claim.row
            self._delivery.add([claim.row], claim.room_lease)

    def _show(self, claim: Claim, text: str) -> None:
        row = self._rows.get(claim.run_id)
        if row is not None:
            self._delivery.show(row, text)

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
        finished = await self._words.work(claim, self._on_duty().answer)
        if finished is None:
            return
        self._delivery.add(finished.rows, finished.room_lease)
        for run_id in finished.stopped:
            self.cancel(run_id)
        if finished.stopped:
            self.wake()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("lane_stopped", exc_info=error)


async def _cancel(tasks: set[asyncio.Task[None]]) -> None:
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)
