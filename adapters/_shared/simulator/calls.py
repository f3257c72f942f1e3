"""Calls: what a bot asked of a simulator, kept for whoever wants to check it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adapters._shared.simulator.signal import Signal


@dataclass(slots=True)
class RecordedCall:
    """One call and its answer."""

    method: str
    params: dict[str, Any]
    account: str
    """Which of the simulator's bots called."""
    at: float
    """Seconds of the simulator's clock."""
    chat: str = ""
    uploads: tuple[str, ...] = ()
    """Names of the files that came along."""
    status: int = 0
    """The HTTP status that was answered; 0 while it is not, or where the connection was dropped."""
    result: Any = None
    error: str = ""
    fault: str = ""
    """The fault that struck it."""
    problems: list[str] = field(default_factory=list)
    """What a careful reader of the documentation would object to, although it was accepted."""


class CallLog:
    """The latest calls, oldest first."""

    def __init__(self, *, keep: int = 20_000) -> None:
        self._calls: deque[RecordedCall] = deque(maxlen=keep)
        self.changed = Signal()

    def add(self, call: RecordedCall) -> None:
        self._calls.append(call)

    def answered(self) -> None:
        """Tell whoever waits that a call got its answer."""
        self.changed.notify()

    @property
    def all(self) -> tuple[RecordedCall, ...]:
        return tuple(self._calls)

    def of(self, *methods: str) -> list[RecordedCall]:
        """Return the calls of these methods."""
        return [call for call in self._calls if call.method in methods]

    def problems(self) -> list[str]:
        """Return everything that is wrong with calls that were accepted."""
        return [f"{call.method}: {problem}" for call in self._calls for problem in call.problems]

    async def wait(self, wanted: Callable[[RecordedCall], bool], seconds: float = 10.0) -> RecordedCall:
        """Return the first call that is wanted, as soon as there is one."""
        return await self.changed.until(lambda: next((call for call in self._calls if wanted(call)), None), seconds)

    def clear(self) -> None:
        self._calls.clear()
