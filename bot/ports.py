"""What the path asks of the world. `storage/` fulfils these."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

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


class Engine(Protocol):
    """The durable engine: every verb is one transaction. All may raise `StorageBusy`."""

    async def ingest(self, arrival: Arrival) -> Ingested:
        """Judge and store one event; claim its thread where that is idle."""
        ...

    async def claim(self, free: int, now: datetime) -> Sequence[Claim]:
        """Take up to `free` runs that are ready, one a thread, a fair share only."""
        ...

    async def commit_step(self, record: StepRecord) -> None:
        """Store a step. Raises `Fenced`."""
        ...

    async def finish(self, finish: Finish) -> Finished:
        """End a run and take the thread's next one. Raises `Fenced`."""
        ...

    async def rerun(self, claim: Claim, now: datetime) -> Claim:
        """Drop what the agent last answered on the thread; return the claim as one of conversation. Raises `Fenced`."""
        ...

    async def give_back(self, claim: Claim, *, counted: bool, now: datetime) -> None:
        """Queue a run again that we cannot end now; `counted` tells whether this try counts. Raises `Fenced`."""
        ...

    async def claim_control(self, inbox_ids: Sequence[int] | None, now: datetime) -> Sequence[ControlClaim]:
        """Take control words: these, or with None whatever waits and nobody alive works on."""
        ...

    async def finish_control(self, finish: ControlFinish) -> ControlFinished:
        """Answer a control word and do what it changes. Raises `Fenced` when somebody else did."""
        ...

    async def claim_rooms(self, room_keys: Sequence[str] | None, now: datetime) -> Sequence[RoomWork]:
        """Take rooms with rows that are due: these, or with None whatever nobody alive holds."""
        ...

    async def delivered(self, delivered: Delivered) -> Sequence[Row]:
        """Store what became of rows; return rows that wait there all the same. Raises `Fenced`."""
        ...

    async def still_ours(self, lease: RoomLease) -> bool:
        """Say whether the room is still ours to send into; asked before each preview."""
        ...

    async def queued(self) -> int:
        """Return how many runs wait, over the whole installation."""
        ...

    async def cancelled(self, run_ids: Sequence[int]) -> Sequence[int]:
        """Return which of these runs somebody asked to stop (another worker's `/stop`)."""
        ...
