"""A strict checker: what every provider demands of a history with tool calls."""

from __future__ import annotations

import json
from collections.abc import Sequence

from agent.model import AssistantMessage, Message, ToolMessage


def faults(messages: Sequence[Message]) -> list[str]:
    """Return what a strict provider would refuse."""
    found: list[str] = []
    used: set[str] = set()
    waiting: list[str] = []
    for place, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            if not waiting or message.call_id != waiting.pop(0):
                found.append(f"{place}: a result that no call waits for")
            continue
        if waiting:
            found.append(f"{place}: calls without a result: {waiting}")
            waiting = []
        if isinstance(message, AssistantMessage):
            found.extend(_call_faults(place, message, used))
            waiting = [call.id for call in message.calls]
    if waiting:
        found.append(f"end: calls without a result: {waiting}")
    return found


def _call_faults(place: int, message: AssistantMessage, used: set[str]) -> list[str]:
    found = []
    for call in message.calls:
        if not call.id.strip() or call.id in used:
            found.append(f"{place}: the id {call.id!r} is empty or used before")
        used.add(call.id)
        if not call.name.strip():
            found.append(f"{place}: a call without a name")
        if not _is_object(call.arguments):
            found.append(f"{place}: arguments {call.arguments!r}")
    return found


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
