"""Every call has its result, and every result its call, in what the model is sent (seat C1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import orjson

from agent import texts
from agent.hook import Hook
from agent.model import AssistantMessage, Call, Message, Request, ToolMessage
from agent.turn import Turn
from bot.seat import Decider, Seat, decided

SEATS = (
    Seat(
        id="C1",
        title="Pairing of calls and results",
        who=Decider.CODE,
        rule=(
            "In the request only: ids that are missing or used twice are replaced, a call without a name is named, "
            "arguments that are no object become an empty one, a call without a result gets an error, a result "
            "without a call is left out"
        ),
    ),
)

UNKNOWN = "unknown_tool"
DETAIL_CHARACTERS = 500


class Pairing(Hook):
    """Repairs the view of a history that was interrupted."""

    name = "pairing"
    seats = SEATS

    async def before_model(self, turn: Turn, request: Request) -> Request:
        messages, repairs = repair(request.messages)
        if messages == request.messages:
            return request
        told = ", ".join(f"{what}: {count}" for what, count in repairs.items()) or "results moved to their calls"
        decided("C1", outcome="repaired", because=told)
        return replace(request, messages=messages)


def repair(messages: Sequence[Message]) -> tuple[tuple[Message, ...], Counter[str]]:
    """Return the messages as every provider takes them, and what had to be changed."""
    repairs: Counter[str] = Counter()
    result: list[Message] = []
    used: set[str] = set()
    results = _results_by_turn(messages, repairs)
    for place, message in enumerate(messages):
        if isinstance(message, AssistantMessage) and message.calls:
            result.extend(
                _with_results(message, _Turn(place=place, results=results[place], used=used, repairs=repairs))
            )
        elif not isinstance(message, ToolMessage):
            result.append(message)
    return tuple(result), repairs


@dataclass(kw_only=True, slots=True)
class _Turn:
    """One answer with calls, and what came before the next one."""

    place: int
    results: list[ToolMessage]
    used: set[str]
    repairs: Counter[str] = field(default_factory=Counter)


def _results_by_turn(messages: Sequence[Message], repairs: Counter[str]) -> dict[int, list[ToolMessage]]:
    """Return the results that follow each answer with calls, by its place; others have no call."""
    found: dict[int, list[ToolMessage]] = {}
    current: int | None = None
    for place, message in enumerate(messages):
        if isinstance(message, AssistantMessage) and message.calls:
            current = place
            found[place] = []
        elif isinstance(message, ToolMessage):
            if current is None:
                repairs["results without a call"] += 1
            else:
                found[current].append(message)
    return found


def _with_results(message: AssistantMessage, turn: _Turn) -> list[Message]:
    calls: list[Call] = []
    answers: list[Message] = []
    for number, call in enumerate(message.calls):
        sound = bool(call.id.strip()) and call.id not in turn.used
        call_id = call.id if sound else _synthetic(turn, number)
        turn.used.add(call_id)
        result = _take(turn.results, call, sound=sound, known={one.id for one in message.calls})
        name, arguments, because = _mended(call, turn)
        calls.append(replace(call, id=call_id, name=name, arguments=arguments))
        if result is None:
            turn.repairs["calls without a result"] += 1
        text = _stand_in(name, because) if result is None else result.text
        answers.append(ToolMessage(call_id=call_id, name=name, text=text))
    if turn.results:
        turn.repairs["results without a call"] += len(turn.results)
    return [replace(message, calls=tuple(calls)), *answers]


def _synthetic(turn: _Turn, number: int) -> str:
    """Return an id made of the call's position."""
    turn.repairs["ids"] += 1
    call_id, suffix = f"call_{turn.place}_{number}", 0
    while call_id in turn.used:
        suffix += 1
        call_id = f"call_{turn.place}_{number}_{suffix}"
    return call_id


def _take(results: list[ToolMessage], call: Call, *, sound: bool, known: set[str]) -> ToolMessage | None:
    """Take the result of a call out of those that are left: by its id, else by its name, else by the order."""
    same_id = [one for one in results if one.call_id == call.id]
    strays = [] if sound else [one for one in results if not one.call_id.strip() or one.call_id not in known]
    for candidates in (same_id, strays):
        named = [one for one in candidates if one.name == call.name]
        if candidates:
            taken = (named or candidates)[0]
            # By identity: two results may be equal.
            del results[next(n for n, one in enumerate(results) if one is taken)]
            return taken
    return None


def _mended(call: Call, turn: _Turn) -> tuple[str, str, str]:
    """Return name and arguments as providers take them, and what is wrong with the arguments."""
    name = call.name
    if not name.strip():
        name = UNKNOWN
        turn.repairs["names"] += 1
    because = _wrong(call.arguments)
    if because is None:
        return name, call.arguments, ""
    if call.arguments.strip():
        turn.repairs["arguments"] += 1
    return name, "{}", because


def _wrong(arguments: str) -> str | None:
    """Return why arguments are no JSON object; None if they are one, nothing to say of empty ones."""
    if not arguments.strip():
        return ""
    try:
        value = orjson.loads(arguments)
    except orjson.JSONDecodeError as error:
        return str(error)
    return None if isinstance(value, dict) else "it is something else"


def _stand_in(name: str, because: str) -> str:
    if not because:
        return texts.INTERRUPTED
    if name == "write_file":
        return texts.WRITE_FILE_CUT
    return texts.broken_arguments(because[:DETAIL_CHARACTERS])


HOOK = Pairing()
