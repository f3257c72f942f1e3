"""Chat completions, streamed or whole: data in, an answer out. Pure.

https://platform.openai.com/docs/api-reference/chat-streaming
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import orjson

from agent.model import Answer, ProviderError
from agent.models._calls import Calls
from agent.models._failures import failure
from agent.models._think import Visible
from agent.models._usage import usage
from bot.settings import Profile

DONE = b"[DONE]"


class Assembly(Protocol):
    """Grows into an answer, whatever API it comes from."""

    def feed(self, data: Mapping[str, Any]) -> str:
        """Take one event and return the visible text that it adds; raises `ProviderError` for a reported failure."""
        ...

    def end(self) -> str:
        """Return the visible text that was held back; raises `ProviderError` where the answer broke off."""
        ...

    @property
    def ended(self) -> bool:
        """The provider said why it stopped; whatever comes now is only counts."""
        ...

    def answer(self) -> Answer: ...


class ChatAssembly:
    """Grows into an answer from the chunks of a chat completion."""

    def __init__(self, profile: Profile, *, taken: Iterable[str] = ()) -> None:
        self._profile = profile
        self._taken = tuple(taken)
        self._visible = Visible()
        self._text: list[str] = []
        self._calls = Calls()
        self._finish = ""
        self._refused = False
        self._usage: Mapping[str, Any] = {}
        self._choices_seen = False

    def feed(self, data: Mapping[str, Any]) -> str:
        _raise_reported(data)
        if isinstance(counts := data.get("usage"), Mapping) and counts:
            self._usage = counts
        choice = _first_choice(data)
        if choice is None:
            return ""
        self._choices_seen = True
        if isinstance(finish := choice.get("finish_reason"), str) and finish:
            self._finish = finish
        return self._delta(_delta_of(choice))

    def end(self) -> str:
        if not self._choices_seen:
            raise ProviderError("the answer holds no choices", kind="empty")
        return self._keep(self._visible.end())

    @property
    def ended(self) -> bool:
        return bool(self._finish)

    def answer(self) -> Answer:
        # A refusal ends with the word `stop`; the safety seat (C5) must see what it is.
        finish = "refusal" if self._refused and self._finish in ("", "stop") else self._finish
        return Answer(
            text="".join(self._text),
            calls=self._calls.whole(self._taken),
            finish=finish,
            usage=usage(self._usage, self._profile),
        )

    def _delta(self, delta: Mapping[str, Any]) -> str:
        calls = delta.get("tool_calls")
        for entry in calls if isinstance(calls, list) else ():
            if isinstance(entry, Mapping):
                self._calls.feed(entry)
        text = self._visible.feed(plain_text(delta.get("content")))
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            self._refused = True
            text += refusal
        return self._keep(text)

    def _keep(self, text: str) -> str:
        if text:
            self._text.append(text)
        return text


def parse(data: bytes) -> Mapping[str, Any] | None:
    """Return one event; None for what is not one, such as a keep-alive word.

    A broken object is an error and not skipped: it may have held a piece of the answer.
    """
    if not data.startswith(b"{"):
        return None
    try:
        parsed: dict[str, Any] = orjson.loads(data)
    except orjson.JSONDecodeError as exc:
        raise ProviderError("the answer holds a line of broken JSON", kind="stream") from exc
    return parsed


def plain_text(content: object) -> str:
    """Return the text of a content field; of a list of blocks the text blocks, without thinking."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(map(_block_text, content))


def _block_text(block: object) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, Mapping) or block.get("type", "text") not in ("text", "output_text"):
        return ""
    text = block.get("text")
    return text if isinstance(text, str) else ""


def _raise_reported(data: Mapping[str, Any]) -> None:
    if data.get("error") or data.get("object") == "error":
        raise failure(data)


def _first_choice(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = data.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return choices[0]
    return None


def _delta_of(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a chunk adds; a server that does not stream sends one whole message instead."""
    for name in ("delta", "message"):
        if isinstance(found := choice.get(name), Mapping):
            return found
    return {}
