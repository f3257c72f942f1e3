"""Faults: what shall go wrong, and when. The plan decides; the platform's wire does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from adapters._shared.simulator.calls import RecordedCall


class FaultKind(StrEnum):
    """What happens to a call."""

    DELAY = "delay"
    """It is done later."""
    REFUSE = "refuse"
    """It is not done; `status` and `body` are answered."""
    DROP = "drop"
    """It is not done, and the connection breaks."""
    LOSE = "lose"
    """It is done, and the connection breaks before the answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One thing that goes wrong."""

    kind: FaultKind
    method: str = ""
    """Which method it strikes; empty: every one."""
    nth: int = 1
    """From which of the matching calls on, counted after the fault was planned; 1 is the next one."""
    times: int | None = 1
    """How many calls it strikes; None: all that follow."""
    chat: str = ""
    """Strike only calls to this chat."""
    when: Callable[[RecordedCall], bool] | None = None
    """Strike only calls of which this is true."""
    seconds: float = 0.0
    status: int = 500
    body: Any = None
    """The answer's body: text is sent as it is, anything else as JSON."""


class FaultPlan:
    """The faults to come."""

    def __init__(self) -> None:
        self._waiting: list[_Planned] = []

    def add(self, fault: Fault) -> None:
        self._waiting.append(_Planned(fault))

    def clear(self) -> None:
        self._waiting.clear()

    @property
    def pending(self) -> tuple[Fault, ...]:
        """What has not struck as often as it shall."""
        return tuple(planned.fault for planned in self._waiting)

    def strike(self, call: RecordedCall) -> tuple[Fault, ...]:
        """Return the faults of this call: delays first, then at most one of the others. They are used up by it."""
        if not self._waiting:
            return ()
        delays: list[Fault] = []
        for planned in list(self._waiting):
            if not planned.meets(call):
                continue
            if planned.spent:
                self._waiting.remove(planned)
            if planned.fault.kind is not FaultKind.DELAY:
                return (*delays, planned.fault)
            delays.append(planned.fault)
        return tuple(delays)


class _Planned:
    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self._seen = 0
        self._struck = 0

    @property
    def spent(self) -> bool:
        return self.fault.times is not None and self._struck >= self.fault.times

    def meets(self, call: RecordedCall) -> bool:
        if not self._concerns(call):
            return False
        self._seen += 1
        if self._seen < self.fault.nth:
            return False
        self._struck += 1
        return True

    def _concerns(self, call: RecordedCall) -> bool:
        fault = self.fault
        if fault.method and fault.method != call.method:
            return False
        if fault.chat and fault.chat != call.chat:
            return False
        return fault.when is None or fault.when(call)
