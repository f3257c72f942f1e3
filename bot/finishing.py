"""Finishing: what the path adds to the end of every run, around the engine that commits it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from bot import texts
from bot.lanes import Lanes
from bot.outlets import Outlets
from bot.ports import Engine
from bot.replies import Part, Reply
from bot.work import Finish, Finished, StepRecord, Usage


class Counter(Protocol):
    """Whoever counts what models took: `bot.metrics.Metrics`."""

    def used(self, usage: Usage) -> None: ...


class Finishing:
    """The engine as runs see it: counts usage, names the asker after a long run, takes nothing new while draining."""

    def __init__(
        self, engine: Engine, lanes: Lanes, outlets: Outlets, counter: Counter, *, long_run_seconds: float
    ) -> None:
        self._engine = engine
        self._lanes = lanes
        self._outlets = outlets
        self._count: Callable[[Usage], None] = counter.used
        self._long = long_run_seconds

    async def commit_step(self, record: StepRecord) -> None:
        await self._engine.commit_step(record)
        for usage in record.usage:
            self._count(usage)

    async def finish(self, finish: Finish) -> Finished:
        parts = (*finish.parts, *self._mention(finish))
        done = await self._engine.finish(replace(finish, parts=parts, may_claim=not self._lanes.draining))
        for usage in finish.usage:
            self._count(usage)
        return done

    def _mention(self, finish: Finish) -> tuple[Part, ...]:
        """Edits alert nobody: after a long wait one new message names the asker."""
        claim = finish.claim
        adapter = self._outlets[claim.room.platform].adapter
        if not adapter.capabilities.notifies_by_post or self._long <= 0:
            return ()
        if self._lanes.seconds_of(claim.run_id) < self._long:
            return ()
        return adapter.render(Reply(text=texts.ready(claim.requester.name)))
