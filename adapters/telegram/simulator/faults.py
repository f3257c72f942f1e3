"""Faults of the Bot API, by what a bot sees of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters._shared.simulator.calls import RecordedCall
from adapters._shared.simulator.faults import Fault, FaultKind, FaultPlan
from adapters.telegram.simulator.refusals import Refusal, bad, too_many, unparsable

_GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"


class Faults:
    """Tells the simulator what shall go wrong. Without a method a fault strikes any call but polls.

    Every verb takes the options of `Fault`: `nth`, `times`, `chat` and `when`.
    """

    def __init__(self) -> None:
        self.plan = FaultPlan()

    def delay(self, method: str = "", *, seconds: float, **options: Any) -> None:
        """Do it later."""
        self._add(FaultKind.DELAY, method, seconds=seconds, **options)

    def server_error(self, method: str = "", *, status: int = 502, **options: Any) -> None:
        """Answer as a broken gateway does, without doing it."""
        body: Any = _GATEWAY_PAGE
        if status == 500:
            body = Refusal(500, "Internal Server Error").body
        self._add(FaultKind.REFUSE, method, status=status, body=body, **options)

    def drop(self, method: str = "", **options: Any) -> None:
        """Break the connection before anything is done."""
        self._add(FaultKind.DROP, method, **options)

    def lose_answer(self, method: str = "", **options: Any) -> None:
        """Do it, and break the connection instead of answering."""
        self._add(FaultKind.LOSE, method, **options)

    def too_fast(self, method: str = "", *, retry_after: int, **options: Any) -> None:
        """Answer 429."""
        self.refuse(method, too_many(retry_after), **options)

    def cannot_parse(self, method: str = "", **options: Any) -> None:
        """Answer that the entities cannot be parsed."""
        self.refuse(method, unparsable("Can't find end of Bold entity at byte offset 0"), **options)

    def refuse(self, method: str, refusal: Refusal | str, **options: Any) -> None:
        """Answer a refusal; a text is the description of a bad request."""
        told = bad(refusal) if isinstance(refusal, str) else refusal
        self._add(FaultKind.REFUSE, method, status=told.code, body=told.body, **options)

    def clear(self) -> None:
        self.plan.clear()

    def _add(self, kind: FaultKind, method: str, **options: Any) -> None:
        when: Callable[[RecordedCall], bool] | None = options.pop("when", None)
        if not method:
            when = _but_polls(when)
        chat = str(options.pop("chat", ""))
        self.plan.add(Fault(kind=kind, method=method, when=when, chat=chat, **options))


def _but_polls(when: Callable[[RecordedCall], bool] | None) -> Callable[[RecordedCall], bool]:
    return lambda call: call.method != "getUpdates" and (when is None or when(call))
