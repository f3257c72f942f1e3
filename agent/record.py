"""Record: the commits of one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.items import dump
from agent.model import Call
from agent.ports import Steps
from agent.thread import Thread
from bot.clock import Clock
from bot.replies import Part
from bot.seat import Decision
from bot.work import Claim, Finish, Finished, Intent, RunOutcome, StepRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class Closing:
    """How a run ends, as it is committed."""

    outcome: RunOutcome
    parts: tuple[Part, ...]
    stop_reason: str = ""
    error: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorder:
    """Stores what a thread holds that is not stored yet, with the decisions taken meanwhile."""

    steps: Steps
    clock: Clock
    decisions: list[Decision]
    """The journal that is open."""

    async def step(self, thread: Thread, *, intents: Sequence[Call] = (), ended: Sequence[str] = ()) -> tuple[str, ...]:
        """Commit a step and return the keys of the intents that began with it."""
        # A fence is never used twice, so a further try of the run cannot meet the keys of an earlier one.
        key = f"{thread.claim.fence}.{thread.commits}"
        begun = tuple(_intent(thread.claim, key, call) for call in intents)
        await self.steps.commit_step(
            StepRecord(
                claim=thread.claim,
                key=key,
                items=tuple(map(dump, thread.unstored)),
                intents=begun,
                ended=tuple(ended),
                decisions=tuple(self.decisions),
                usage=tuple(thread.usage),
                now=self.clock.now(),
            )
        )
        thread.stored, thread.commits = len(thread.own), thread.commits + 1
        thread.usage.clear()
        self.decisions.clear()
        return tuple(intent.key for intent in begun)

    async def finish(self, thread: Thread, closing: Closing) -> Finished:
        """Commit the end."""
        return await self.steps.finish(
            Finish(
                claim=thread.claim,
                outcome=closing.outcome,
                parts=closing.parts,
                items=tuple(map(dump, thread.unstored)),
                decisions=tuple(self.decisions),
                usage=tuple(thread.usage),
                stop_reason=closing.stop_reason,
                error=closing.error,
                now=self.clock.now(),
            )
        )


def idem_key(claim: Claim, call: Call) -> str:
    """Return what names this call for ever."""
    return f"{claim.run_id}:{call.id}"


def _intent(claim: Claim, key: str, call: Call) -> Intent:
    body = {"call_id": call.id, "name": call.name, "arguments": call.arguments}
    return Intent(key=f"{key}:{call.id}", idem_key=idem_key(claim, call), body=body)
