"""Gates: the steps in their order, as one judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from graphlib import CycleError, TopologicalSorter

from bot import steps
from bot.command import Lane
from bot.errors import RegistrationError
from bot.events import Event
from bot.people import Standing
from bot.registry import discover
from bot.rules import Rules
from bot.step import Step
from bot.work import Accept, Judge, Verdict

_PLAIN = Accept()


def ordered(found: Mapping[str, Step]) -> tuple[Step, ...]:
    """Return the steps so that each `after` and `before` holds; a broken one is named."""
    sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(found, ()))
    for step in found.values():
        for other in (*step.after, *step.before):
            if other not in found:
                raise RegistrationError(f"step {step.name!r} wants its place beside {other!r}, which does not exist")
        sorter.add(step.name, *step.after)
        for later in step.before:
            sorter.add(later, step.name)
    try:
        return tuple(found[name] for name in sorter.static_order())
    except CycleError as error:
        circle = " before ".join(repr(name) for name in error.args[1])
        raise RegistrationError(f"the order of steps is impossible: {circle}") from error


STEPS = ordered(discover(steps, "STEP", Step))


def gates(rules: Rules) -> Judge:
    """Return the judge that goes by these rules."""

    def judge(event: Event, standing: Standing) -> Verdict:
        accept = _PLAIN
        for step in STEPS:
            verdict = step.judge(event, standing, rules)
            if verdict is None:
                continue
            if not isinstance(verdict, Accept):
                return verdict
            accept = verdict if accept is _PLAIN else both(accept, verdict)
        return accept

    return judge


def both(first: Accept, second: Accept) -> Accept:
    """Return the acceptance that meets the conditions of two."""
    return Accept(
        lane=Lane.CONTROL if Lane.CONTROL in (first.lane, second.lane) else Lane.THREAD,
        command=second.command or first.command,
        not_before=_later(first.not_before, second.not_before),
        notice=first.notice + second.notice,
    )


def _later(first: datetime | None, second: datetime | None) -> datetime | None:
    if first is None or second is None:
        return first or second
    return max(first, second)


def together(events: Sequence[Event]) -> Sequence[Event]:
    """Let what was sent as one be addressed as one: a mention beside one picture of an album counts for all."""
    addressed = {event.group for event in events if event.group and event.mentions_bot}
    if not addressed:
        return events
    return [replace(event, mentions_bot=True) if event.group in addressed else event for event in events]
