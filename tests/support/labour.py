"""Labour: a runner for the crash suite that works in recorded steps, and whose deeds outlive it."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.clock import Clock
from bot.live import LiveRun
from bot.ports import Engine
from bot.replies import Reply
from bot.work import Claim, Finish, Finished, Intent, RunOutcome, StepRecord, StoredItem
from tests.support.paper import LIMIT, PaperAdapter

STEPS = 2
ENDLESS_SECONDS = 1.0


@dataclass(slots=True)
class Ledger:
    """What was done in the world outside, whatever became of the bot."""

    steps: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How often each step of each run was worked on."""
    deeds: Counter[int] = field(default_factory=Counter)
    """How often each run did what cannot be undone."""
    working: Counter[int] = field(default_factory=Counter)
    """Runs that are being worked on, by thread."""
    overlaps: int = 0

    def clear(self) -> None:
        """Forget what was done so far."""
        self.steps.clear()
        self.deeds.clear()


@dataclass(slots=True)
class Labour:
    """Answers what was said: `tools` in steps, `deed` with a side effect, `long` in parts, `endless` when stopped."""

    engine: Engine
    clock: Clock
    adapter: PaperAdapter
    ledger: Ledger
    finished: Callable[[], None] = lambda: None
    """Told of each run that it ended."""

    async def run(self, claim: Claim, live: LiveRun) -> Finished:
        self.ledger.overlaps += self.ledger.working[claim.thread_id] > 0
        self.ledger.working[claim.thread_id] += 1
        try:
            done = await self._run(claim, live)
            self.finished()
            return done
        finally:
            self.ledger.working[claim.thread_id] -= 1

    async def _run(self, claim: Claim, live: LiveRun) -> Finished:
        texts = [event.text for event in claim.events]
        said = " + ".join(texts)
        own = [item for item in claim.history if item.run_id == claim.run_id]
        users = () if any(item.kind == "user" for item in own) else tuple(_item("user", text) for text in texts)
        done = sum(item.kind == "tool" for item in own)
        for number in range(done, STEPS if "tools" in said else 0):
            self.ledger.steps[claim.run_id, number] += 1
            await self._commit(claim, str(number), items=(*users, _item("tool", f"step {number}")))
            users = ()
            live.show(f"at step {number}")
        if "deed" in said and not done:
            await self._deed(claim, users)
            users = ()
        answer = f"answer to {said}" + (" and so on" * (LIMIT // 5) if "long" in said else "")
        live.show(answer[: LIMIT // 2])
        if "endless" in said:
            await _stopped(claim, live)
        return await self._finish(claim, live, users, answer, said)

    async def _finish(
        self, claim: Claim, live: LiveRun, users: tuple[StoredItem, ...], answer: str, said: str
    ) -> Finished:
        stopped = live.cancelled or claim.cancelled
        if stopped:
            answer = f"stopped: {said}"
        return await self.engine.finish(
            Finish(
                claim=claim,
                outcome=RunOutcome.CANCELLED if stopped else RunOutcome.SUCCESS,
                parts=self.adapter.render(Reply(text=answer)),
                items=(*users, _item("assistant", answer)),
                now=self.clock.now(),
            )
        )

    async def _deed(self, claim: Claim, users: tuple[StoredItem, ...]) -> None:
        """Do something that cannot be undone: never a second time, whatever is known of the first."""
        if not claim.intents:
            intent = Intent(key="deed", idem_key=f"{claim.run_id}:deed", body={})
            await self._commit(claim, "deed", items=users, intents=(intent,))
            users = ()
            self.ledger.deeds[claim.run_id] += 1
        result = "outcome unknown" if claim.intents else "done"
        record = StepRecord(
            claim=claim, key="deed-end", items=(*users, _item("tool", result)), ended=("deed",), now=self.clock.now()
        )
        await self.engine.commit_step(record)

    async def _commit(
        self, claim: Claim, key: str, *, items: tuple[StoredItem, ...], intents: tuple[Intent, ...] = ()
    ) -> None:
        record = StepRecord(claim=claim, key=key, items=items, intents=intents, now=self.clock.now())
        await self.engine.commit_step(record)


def _item(kind: str, text: str) -> StoredItem:
    return StoredItem(kind=kind, body={"text": text})


async def _stopped(claim: Claim, live: LiveRun) -> None:
    """Wait until somebody stops the run; a crash suite that nobody stops must end all the same."""
    if not claim.cancelled:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(live.wait_cancelled(), ENDLESS_SECONDS)
