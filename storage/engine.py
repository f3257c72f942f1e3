"""The durable engine: each verb of `bot.ports.Engine` as one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.work import (
    Arrival,
    Claim,
    ControlClaim,
    ControlFinish,
    ControlFinished,
    Delivered,
    Finish,
    Finished,
    Ingested,
    RoomLease,
    RoomWork,
    Row,
    StepRecord,
)
from storage import claims, control, deliveries, ingest, runs
from storage.claims import Terms
from storage.database import Database


class SqlEngine:
    """One worker's engine over a database."""

    def __init__(self, database: Database, terms: Terms, *, runs_per_claim: int) -> None:
        self._database = database
        self._terms = terms
        self._worker = terms.worker
        self._runs_per_claim = runs_per_claim

    async def ingest(self, arrival: Arrival) -> Ingested:
        return await self._database.write(ingest.ingest, ingest.Ingest(arrival=arrival, terms=self._terms))

    async def claim(self, free: int, now: datetime) -> Sequence[Claim]:
        return await self._database.write(claims.take_ready, claims.TakeReady(terms=self._terms, free=free, now=now))

    async def commit_step(self, record: StepRecord) -> None:
        await self._database.write(runs.commit_step, runs.Guarded(worker=self._worker, record=record))

    async def finish(self, finish: Finish) -> Finished:
        end = runs.End(finish=finish, terms=self._terms, runs_per_claim=self._runs_per_claim)
        return await self._database.write(runs.finish, end)

    async def rerun(self, claim: Claim, now: datetime) -> Claim:
        return await self._database.write(runs.rerun, runs.Again(claim=claim, terms=self._terms, now=now))

    async def give_back(self, claim: Claim, *, counted: bool, now: datetime) -> None:
        back = runs.GiveBack(worker=self._worker, claim=claim, counted=counted, now=now)
        await self._database.write(runs.give_back, back)

    async def claim_control(self, inbox_ids: Sequence[int] | None, now: datetime) -> Sequence[ControlClaim]:
        take = control.TakeControl(worker=self._worker, inbox_ids=inbox_ids, now=now)
        return await self._database.write(control.take_control, take)

    async def finish_control(self, finish: ControlFinish) -> ControlFinished:
        end = control.EndControl(worker=self._worker, finish=finish)
        return await self._database.write(control.finish_control, end)

    async def claim_rooms(self, room_keys: Sequence[str] | None, now: datetime) -> Sequence[RoomWork]:
        take = deliveries.TakeRooms(worker=self._worker, room_keys=room_keys, now=now)
        return await self._database.write(deliveries.take_rooms, take)

    async def delivered(self, delivered: Delivered) -> Sequence[Row]:
        report = deliveries.Report(worker=self._worker, delivered=delivered)
        return await self._database.write(deliveries.delivered, report)

    async def still_ours(self, lease: RoomLease) -> bool:
        return await self._database.read(deliveries.still_ours, (self._worker, lease))

    async def queued(self) -> int:
        return await self._database.read(claims.queued, None)

    async def cancelled(self, run_ids: Sequence[int]) -> Sequence[int]:
        return await self._database.read(runs.cancelled, run_ids) if run_ids else []
