"""The turns of a request, in the form that a provider takes. Pure: messages in, messages out.

Some providers are strict (the Anthropic family, and chat templates of many open models): roles must alternate, a person
speaks first, and no turn is empty. https://docs.anthropic.com/en/api/messages
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from agent.model import AssistantMessage, Call, Message, SystemMessage, ToolMessage, UserMessage

NO_TEXT = "(no text)"
NO_OUTPUT = "(no output)"
NO_IMAGES = "[{count} left out: this model cannot see images]"
EARLIER = "(the conversation begins here)"

_LEGAL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")


def shape(messages: Iterable[Message], *, tools: bool, vision: bool, strict: bool) -> tuple[Message, ...]:
    """Return the messages with the system text first and without empty turns.

    Without `tools`, calls and results become text; without `vision`, images become a note; `strict` makes roles
    alternate.
    """
    messages = tuple(messages)
    system = "\n\n".join(m.text for m in messages if isinstance(m, SystemMessage) and m.text.strip())
    turns: Iterable[Message] = (m for m in messages if not isinstance(m, SystemMessage))
    turns = chain.from_iterable(_turn(m, tools=tools, vision=vision) for m in turns)
    if strict:
        turns = _alternate(turns)
    return (*([SystemMessage(text=system)] if system else []), *turns)


def legal_id(call_id: str) -> str:
    """Return an id that every provider takes; the same for the call and its result."""
    if _LEGAL_ID.fullmatch(call_id):
        return call_id
    return "call_" + hashlib.sha256(call_id.encode()).hexdigest()[:24]


def _turn(message: Message, *, tools: bool, vision: bool) -> Iterable[Message]:
    if isinstance(message, UserMessage):
        yield _user(message, vision=vision)
    elif isinstance(message, AssistantMessage):
        text = message.text if message.text.strip() else ""
        if tools:
            turn = AssistantMessage(text=text, calls=tuple(map(_call, message.calls)))
        else:
            turn = AssistantMessage(text="\n\n".join(filter(None, (text, *map(_call_as_text, message.calls)))))
        if turn.text or turn.calls:
            yield turn
    elif isinstance(message, ToolMessage):
        text = message.text if message.text.strip() else NO_OUTPUT
        if tools:
            yield replace(message, text=text, call_id=legal_id(message.call_id))
        else:
            yield UserMessage(text=f"[result of {message.name}]\n{text}")


def _user(message: UserMessage, *, vision: bool) -> UserMessage:
    text = message.text if message.text.strip() else ""
    if message.images and not vision:
        count = "1 image" if len(message.images) == 1 else f"{len(message.images)} images"
        note = NO_IMAGES.format(count=count)
        return UserMessage(text=f"{text}\n{note}" if text else note)
    return replace(message, text=text or ("" if message.images else NO_TEXT))


def _call(call: Call) -> Call:
    return replace(call, id=legal_id(call.id), arguments=call.arguments if call.arguments.strip() else "{}")


def _call_as_text(call: Call) -> str:
    return f"[called {call.name} with {call.arguments or '{}'}]"


def _alternate(turns: Iterable[Message]) -> list[Message]:
    result: list[Message] = []
    for turn in turns:
        merged = _merged(result[-1], turn) if result else None
        if merged is None:
            result.append(turn)
        else:
            result[-1] = merged
    if not result or not isinstance(result[0], UserMessage):
        result.insert(0, UserMessage(text=EARLIER))
    return result


def _merged(before: Message, turn: Message) -> Message | None:
    if isinstance(before, UserMessage) and isinstance(turn, UserMessage):
        return UserMessage(text=_joined(before.text, turn.text), images=before.images + turn.images)
    if isinstance(before, AssistantMessage) and isinstance(turn, AssistantMessage) and not before.calls:
        return AssistantMessage(text=_joined(before.text, turn.text), calls=turn.calls)
    return None


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))
