"""The hooks, one seat or a few close ones a file, and the order in which they lie around the model.

A file offers `HOOK`. This one only sorts by what each says of its neighbours, and checks the result against the order
that the seats prescribe.
"""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from agent.hook import Hook
from bot.errors import RegistrationError

# Appendix 1 of the seats, from the outside in; a hook has its place by the seats it decides.
ORDER = (
    *("E3", "B2", "C1", "C2", "D1", "D2", "D3", "D4", "D15", "F7", "E1", "E2"),
    *("B9", "B4", "F2", "F3", "F4", "F10", "B3", "A19", "A17", "B7", "H3", "F5", "F6", "C3", "C4", "C5", "D13", "D14"),
)
_PLACES = {seat: place for place, seat in enumerate(ORDER)}


def ordered(found: Iterable[Hook]) -> tuple[Hook, ...]:
    """Return the hooks from the outside in; raises `RegistrationError` naming both hooks of a broken constraint."""
    hooks = {hook.name: hook for hook in found}
    sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(sorted(hooks), ()))
    for hook in hooks.values():
        sorter.add(hook.name, *(name for name in hook.after if name in hooks))
        for inner in hook.before:
            if inner in hooks:
                sorter.add(inner, hook.name)
    try:
        result = tuple(hooks[name] for name in sorter.static_order())
    except CycleError as error:
        circle = " around ".join(map(repr, error.args[1]))
        raise RegistrationError(f"the order of hooks is impossible: {circle}") from error
    _check(result)
    return result


def _check(hooks: Iterable[Hook]) -> None:
    """Refuse an order that differs from the one of the seats."""
    placed = [hook for hook in hooks if _place(hook) is not None]
    for outer, inner in pairwise(placed):
        first, second = _place(outer), _place(inner)
        if first is not None and second is not None and first > second:
            raise RegistrationError(
                f"hook {inner.name!r} must lie around hook {outer.name!r}, not inside it: "
                f"seat {ORDER[second]} comes before seat {ORDER[first]}"
            )


def _place(hook: Hook) -> int | None:
    return min((_PLACES[seat.id] for seat in hook.seats if seat.id in _PLACES), default=None)
