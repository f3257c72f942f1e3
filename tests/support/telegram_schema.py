"""A judge that nobody here wrote: the published description of the Bot API, applied to calls, answers and updates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from adapters._shared.simulator.calls import RecordedCall
from adapters.telegram.simulator import TelegramSimulator

PAPER = Path(__file__).resolve().parents[3] / "shared" / "schemas" / "telegram-bot-api.json"

# Older names that the server still takes and the description leaves out.
_OLD_NAMES = {"reply_to_message_id", "allow_sending_without_reply"}


@cache
def _paper() -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(PAPER.read_bytes())
    return read


def skip_without_paper() -> None:
    """Skip the test, saying so, where the description is not at hand."""
    if not PAPER.exists():
        pytest.skip(f"the published description is not at {PAPER}: calls are NOT checked against it")


def judge(simulator: TelegramSimulator) -> list[str]:
    """Return what is wrong with the simulator's calls, answers and updates, each in a sentence."""
    found: list[str] = []
    for call in simulator.calls.all:
        found += violations(call)
    for bot in simulator.state.bots.values():
        for update in bot.updates.made:
            found += _value(update, ("Update",), "update")
    return found


def violations(call: RecordedCall) -> list[str]:
    """Return what is wrong with a call and its answer."""
    method = _paper()["methods"].get(call.method)
    if method is None:
        return [] if call.status in (404, 0) else [f"{call.method} is not a method, and was answered {call.status}"]
    found: list[str] = []
    if call.status in (200, 0):
        fields = {field["name"]: field for field in method.get("fields", [])}
        params = {name: value for name, value in call.params.items() if name not in _OLD_NAMES}
        uploaded = {name for name in fields if name not in params and call.uploads}
        found += _fields(params, fields, call.method, lenient=True, given=uploaded)
    if call.status == 200 and call.result is not None:
        found += _value(call.result, tuple(method["returns"]), f"{call.method} answer")
    return found


def _fields(
    value: Mapping[str, Any],
    fields: Mapping[str, Any],
    where: str,
    *,
    lenient: bool = False,
    given: Iterable[str] = (),
) -> list[str]:
    found = [f"{where}: {name} is not in the description" for name in value.keys() - fields.keys()]
    for name, field in fields.items():
        if name in value:
            found += _value(value[name], tuple(field["types"]), f"{where}.{name}", lenient=lenient)
        elif field["required"] and name not in given:
            found.append(f"{where}: {name} is missing")
    return found


def _value(value: Any, types: tuple[str, ...], where: str, *, lenient: bool = False) -> list[str]:
    """Return the fewest complaints that any of the types has."""
    return min((_one(value, kind, where, lenient) for kind in types), key=len)


def _one(value: Any, kind: str, where: str, lenient: bool) -> list[str]:
    if kind.startswith("Array of "):
        if not isinstance(value, list):
            return [f"{where}: {value!r} is not an array"]
        inner = kind.removeprefix("Array of ")
        return [
            sentence
            for number, item in enumerate(value)
            for sentence in _one(item, inner, f"{where}[{number}]", lenient)
        ]
    if kind in ("Integer", "String", "Boolean", "Float"):
        return [] if _is_plain(value, kind, lenient) else [f"{where}: {value!r} is not {kind}"]
    if kind == "InputFile":
        return [] if lenient else [f"{where}: an answer holds no file"]
    return _object(value, kind, where, lenient)


def _is_plain(value: Any, kind: str, lenient: bool) -> bool:
    """A form carries everything as text, so a call's text may stand for a number or a truth."""
    if kind == "Boolean":
        return isinstance(value, bool) or (lenient and value in ("true", "false", "True", "False"))
    if kind == "Integer":
        number = isinstance(value, int) and not isinstance(value, bool)
        return number or (lenient and isinstance(value, str) and value.lstrip("-").isdigit())
    if kind == "Float":
        return isinstance(value, int | float) or lenient
    return isinstance(value, str)


def _object(value: Any, kind: str, where: str, lenient: bool) -> list[str]:
    described = _paper()["types"].get(kind)
    if described is None:
        return [f"{where}: the description has no type {kind}"]
    if described.get("subtypes"):
        return _value(value, tuple(described["subtypes"]), where, lenient=lenient)
    if not isinstance(value, dict):
        return [f"{where}: {value!r} is not {kind}"]
    fields = {field["name"]: field for field in described.get("fields", [])}
    return _fields(value, fields, where, lenient=lenient)
