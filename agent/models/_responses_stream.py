"""The Responses API: events in, an answer out. Pure.

https://platform.openai.com/docs/api-reference/responses-streaming
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agent.model import Answer, ProviderError
from agent.models._calls import Calls
from agent.models._failures import failure
from agent.models._usage import usage
from bot.settings import Profile

_TEXT = ("response.output_text.delta", "response.refusal.delta")
_LAST = ("response.completed", "response.incomplete")


class ResponsesAssembly:
    """Grows into an answer from the events of a response."""

    def __init__(self, profile: Profile, *, taken: Iterable[str] = ()) -> None:
        self._profile = profile
        self._taken = tuple(taken)
        self._text: list[str] = []
        self._calls = Calls()
        self._items = 0
        self._refused = False
        self._last: Mapping[str, Any] = {}

    def feed(self, data: Mapping[str, Any]) -> str:
        kind = data.get("type")
        if kind in _TEXT:
            return self._say(data)
        if kind == "response.output_item.done":
            self._item(_mapping(data.get("item")))
        elif kind in _LAST:
            self._last = _mapping(data.get("response"))
        elif kind == "response.failed":
            raise failure(_mapping(data.get("response")))
        elif kind == "error" or data.get("error"):
            raise failure(data)
        return ""

    def end(self) -> str:
        if not self._last:
            raise ProviderError("the answer broke off before its end", kind="stream")
        return ""

    @property
    def ended(self) -> bool:
        return bool(self._last)

    def answer(self) -> Answer:
        return Answer(
            text="".join(self._text),
            calls=self._calls.whole(self._taken),
            finish=self._finish(),
            usage=usage(_mapping(self._last.get("usage")), self._profile),
        )

    def _say(self, data: Mapping[str, Any]) -> str:
        self._refused |= data["type"] == "response.refusal.delta"
        text = data.get("delta")
        if not isinstance(text, str):
            return ""
        self._text.append(text)
        return text

    def _item(self, item: Mapping[str, Any]) -> None:
        if item.get("type") == "function_call":
            function = {"name": item.get("name"), "arguments": item.get("arguments")}
            self._calls.feed({"index": self._items, "id": item.get("call_id"), "function": function})
            self._items += 1

    def _finish(self) -> str:
        """Return `stop`, `refusal`, or why the response is incomplete (`max_output_tokens`, `content_filter`)."""
        if self._last.get("status") == "incomplete":
            reason = _mapping(self._last.get("incomplete_details")).get("reason")
            return reason if isinstance(reason, str) else "incomplete"
        return "refusal" if self._refused else "stop"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
