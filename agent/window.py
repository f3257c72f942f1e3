"""Window: which items a request holds, so that the model can take it. Pure.

Tokens are estimated, not counted: four bytes of UTF-8 are taken for one. That is right within a fifth for English, too
many for code and about right for Chinese and Japanese; the window keeps a reserve for the rest (`RESERVE`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import orjson

from agent import framing, texts
from agent.items import AssistantItem, Item, NoteItem, ToolItem, UserItem
from agent.model import AssistantMessage, Message, SystemMessage, ToolMessage, ToolSpec, UserMessage

RESERVE = 0.2
"""The part of a model's window that stays free for what the estimate missed."""
MESSAGE_TOKENS = 6
"""What a provider adds to each message."""
ANSWER_TOKENS = 4_096
SMALLEST = 400
"""However full it is, this much of a conversation is sent."""
SHRINK = 10
"""How many times smaller the second try is, when the first was too long."""
SHRUNK_RESULT = 1_000
"""The characters of a result in such a second try."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Space:
    """How much of a conversation has a place in a request."""

    tokens: int
    result_characters: int
    """The longest tool result."""


def space_for(*, context_tokens: int, max_tokens: int | None, fixed: int) -> Space:
    """Return what a model's window leaves when the fixed part (system, tools) and an answer are in it."""
    answer = min(max_tokens or ANSWER_TOKENS, context_tokens // 4)
    tokens = max(SMALLEST, int(context_tokens * (1 - RESERVE)) - answer - fixed)
    return Space(tokens=tokens, result_characters=2 * tokens)


def shrunk(items: Sequence[Item], space: Space, *, fixed: int) -> Space:
    """Return the room for a second try, much smaller than what did not fit."""
    sent = fixed + sum(map(tokens_of, fit(items, space)))
    return Space(tokens=max(SMALLEST, sent // SHRINK - fixed), result_characters=SHRUNK_RESULT)


def fit(items: Sequence[Item], space: Space) -> tuple[Item, ...]:
    """Return the newest items that have a place, in order.

    A call and its results stay together. Notes, what people said last, and the very last item are always among them.
    """
    blocks = _blocks(_cut(item, space.result_characters) for item in items if _is_seen(item))
    last = _last_said(blocks)
    end = len(blocks) - 1
    kept = {n for n, block in enumerate(blocks) if n in last or n == end or isinstance(block[0], NoteItem)}
    left = space.tokens - sum(_cost(blocks[n]) for n in kept)
    for n in range(end, -1, -1):
        if n in kept:
            continue
        left -= _cost(blocks[n])
        if left < 0:
            break
        kept.add(n)
    return tuple(item for n, block in enumerate(blocks) if n in kept for item in block)


def messages(items: Iterable[Item]) -> tuple[Message, ...]:
    """Return the items as the model is sent them."""
    return tuple(map(_message, items))


def tokens_of(item: Item) -> int:
    """Return about how many tokens an item takes."""
    message = _message(item)
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    return MESSAGE_TOKENS + estimate(message.text) + sum(estimate(call.name + call.arguments) + 8 for call in calls)


def tools_cost(tools: Iterable[ToolSpec]) -> int:
    """Return about how many tokens the description of the tools takes."""
    return sum(
        estimate(tool.name + tool.description) + estimate(orjson.dumps(tool.parameters).decode()) for tool in tools
    )


def estimate(text: str) -> int:
    """Return about how many tokens a text takes."""
    size = len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))
    return (size + 3) // 4


def _is_seen(item: Item) -> bool:
    """Leave out our own words about failures, and answers without a word."""
    if isinstance(item, AssistantItem):
        return not item.error_fallback and bool(item.calls or item.text.strip())
    return True


def _cut(item: Item, characters: int) -> Item:
    if not isinstance(item, ToolItem) or len(item.text) <= characters:
        return item
    head, tail = characters * 3 // 4, characters // 4
    text = item.text[:head] + texts.cut_middle(len(item.text) - head - tail) + item.text[-tail:]
    return replace(item, text=text)


def _blocks(items: Iterable[Item]) -> list[list[Item]]:
    """Group calls with the results that follow them; results without their calls are left out."""
    blocks: list[list[Item]] = []
    open_calls = False
    for item in items:
        if isinstance(item, ToolItem):
            if open_calls:
                blocks[-1].append(item)
            continue
        open_calls = isinstance(item, AssistantItem) and bool(item.calls)
        blocks.append([item])
    return blocks


def _last_said(blocks: Sequence[Sequence[Item]]) -> range:
    """Return where the last messages of people stand that came together."""
    end = next((n for n in range(len(blocks) - 1, -1, -1) if isinstance(blocks[n][0], UserItem)), -1) + 1
    start = end
    while start > 0 and isinstance(blocks[start - 1][0], UserItem):
        start -= 1
    return range(start, end)


def _cost(block: Iterable[Item]) -> int:
    return sum(map(tokens_of, block))


def _message(item: Item) -> Message:
    match item:
        case UserItem():
            return UserMessage(text=framing.user_text(item))
        case AssistantItem():
            return AssistantMessage(text=item.text, calls=item.calls)
        case ToolItem():
            return ToolMessage(call_id=item.call_id, name=item.name, text=item.text)
        case NoteItem():
            return SystemMessage(text=item.text)
        case other:
            assert_never(other)
