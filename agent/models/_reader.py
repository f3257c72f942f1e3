"""Bytes of an answer, streamed or whole, to the answer. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from agent.model import Answer, ProviderError
from agent.models._failures import clean
from agent.models._sse import Lines
from agent.models._stream import DONE, Assembly, parse

_LONGEST_WHOLE = 32_000_000


class Reader:
    """Feeds an assembly, whether the server streams as it was asked to or sends one JSON text."""

    def __init__(self, assembly: Assembly, on_text: Callable[[str], None], *, key: str = "") -> None:
        self._assembly = assembly
        self._on_text = on_text
        self._key = key
        self._lines = Lines()
        self._whole: list[bytes] | None = None
        self._size = 0
        self._first = True
        self._done = False

    def feed(self, chunk: bytes, streamed: bool) -> bool:
        """Take bytes as they came; True when the answer is complete."""
        if self._first and chunk.strip():
            self._first = False
            # Some servers stream without saying so, some answer whole: the first byte tells.
            if not streamed and chunk.lstrip()[:1] in b"{[<":
                self._whole = []
        if self._whole is not None:
            self._hold(chunk)
            return False
        for data in self._lines.feed(chunk):
            self._event(data)
        return self._done

    def answer(self) -> Answer:
        """Return the answer once everything is fed; raises `ProviderError` where it broke off."""
        if self._whole is not None:
            self._take(_one(b"".join(self._whole)))
        else:
            for data in self._lines.end():
                self._event(data)
            if not self._done and not self._assembly.ended:
                raise ProviderError("the answer broke off before its end", kind="stream")
        self._say(self._assembly.end())
        return self._assembly.answer()

    def _event(self, data: bytes) -> None:
        if data == DONE:
            self._done = True
        elif not self._done and (event := parse(data)) is not None:
            self._take(event)

    def _take(self, event: Mapping[str, Any]) -> None:
        try:
            self._say(self._assembly.feed(event))
        except ProviderError as exc:
            words = clean(str(exc), key=self._key)
            raise ProviderError(words, kind=exc.kind, status=exc.status, code=exc.code) from None

    def _say(self, text: str) -> None:
        if text:
            self._on_text(text)

    def _hold(self, chunk: bytes) -> None:
        self._size += len(chunk)
        if self._whole is None or self._size > _LONGEST_WHOLE:
            raise ProviderError("the answer is longer than 32 MB", kind="stream")
        self._whole.append(chunk)


def _one(body: bytes) -> Mapping[str, Any]:
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as exc:
        raise ProviderError("the address answers with something that is no model's answer", kind="stream") from exc
    if not isinstance(data, dict):
        raise ProviderError("the address answers with JSON that is no model's answer", kind="stream")
    return data
