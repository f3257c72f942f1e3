"""Tool calls out of a stream: pieces in, whole calls with ids of their own out. Pure.

Providers disagree about what marks a new call: a new index, a new id on the same index, or neither.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from agent.model import Call


@dataclass(kw_only=True, slots=True)
class _Growing:
    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)

    @property
    def complete(self) -> bool:
        try:
            return isinstance(orjson.loads(self.arguments), dict)
        except orjson.JSONDecodeError:
            return False


class Calls:
    """The calls of one answer, in the order in which they began."""

    def __init__(self) -> None:
        self._calls: list[_Growing] = []
        self._by_index: dict[int, _Growing] = {}

    def feed(self, delta: Mapping[str, Any]) -> None:
        """Add one entry of `tool_calls`."""
        function = delta.get("function")
        function = function if isinstance(function, Mapping) else {}
        call_id, name = _text(delta.get("id")), _text(function.get("name"))
        index = delta.get("index")
        call = self._current(index if isinstance(index, int) else None)
        if call is None or _begins_another(call, call_id, name):
            call = _Growing()
            self._calls.append(call)
        if isinstance(index, int):
            self._by_index[index] = call
        call.id = call.id or call_id
        call.name = call.name or name
        call.pieces.append(_arguments(function.get("arguments")))

    def whole(self, taken: Iterable[str]) -> tuple[Call, ...]:
        """Return the calls; ids that are missing, or used before, are replaced."""
        used = set(taken)
        calls = []
        for growing in self._calls:
            call_id = growing.id if growing.id and growing.id not in used else fresh_id(used)
            used.add(call_id)
            calls.append(Call(id=call_id, name=growing.name, arguments=growing.arguments))
        return tuple(calls)

    def _current(self, index: int | None) -> _Growing | None:
        if index is None:
            return self._calls[-1] if self._calls else None
        return self._by_index.get(index)


def _begins_another(call: _Growing, call_id: str, name: str) -> bool:
    """Say whether a piece on the same index belongs to a further call.

    A new id alone is not enough: some servers make a new id for every piece of one call.
    """
    if call_id and call.id and call_id != call.id:
        return bool(name) or call.complete
    return bool(name) and bool(call.name) and (name != call.name or call.complete)


def _arguments(raw: object) -> str:
    if isinstance(raw, str):
        return raw
    return "" if raw is None else orjson.dumps(raw).decode()


def _text(raw: object) -> str:
    return raw.strip() if isinstance(raw, str) else ""


def fresh_id(used: Collection[str]) -> str:
    """Return an id that is not used yet; the same for the same ids."""
    number = len(used) + 1
    while f"call_{number}" in used:
        number += 1
    return f"call_{number}"
