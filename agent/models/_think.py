"""What a model writes inside `<think>` is not for the room: cut it from a stream of text. Pure."""

from __future__ import annotations

import re

_OPEN = re.compile(r"<think(?:ing)?>")
_TAGS = ("<think>", "<thinking>")
_LONGEST = max(map(len, _TAGS))
_FENCE = "```"


class Visible:
    """Lets the visible part of a growing text through, holding back no more than it must."""

    def __init__(self) -> None:
        self._held = ""
        self._tag = ""
        self._scanned = 0
        self._fences = 0
        self._last = ""
        self._spoken = False
        self._trim = False

    def feed(self, text: str) -> str:
        """Return what may be shown now."""
        self._held += text
        shown = ""
        while (piece := self._step()) is not None:
            shown += piece
        return shown

    def end(self) -> str:
        """Return what was held back and turned out to be visible.

        A block that nothing closes is hidden when the answer begins with it, and ordinary text elsewhere.
        """
        rest = self._tag + self._held if not self._tag or self._spoken else ""
        self._held = self._tag = ""
        return self._show(rest)

    def _step(self) -> str | None:
        """Advance as far as possible; None when more text is needed."""
        if self._tag:
            return "" if self._close() else None
        if not self._held:
            return None
        found = _OPEN.search(self._held)
        while found and self._in_code(found.start()):
            found = _OPEN.search(self._held, found.end())
        if found:
            before, self._tag, self._held = self._held[: found.start()], found[0], self._held[found.end() :]
            self._scanned = 0
            return self._show(before)
        return self._show_safe()

    def _close(self) -> bool:
        closing = "</" + self._tag[1:]
        at = self._held.find(closing, self._scanned)
        if at < 0:
            self._scanned = max(0, len(self._held) - len(closing))
            return False
        self._held = self._held[at + len(closing) :]
        self._tag = ""
        self._trim = not self._spoken
        return True

    def _show_safe(self) -> str | None:
        # A tag has one angle bracket to begin with, so only what follows the last one may grow into a tag.
        at = self._held.rfind("<")
        if at < 0 or not _may_grow(self._held[at:]):
            at = len(self._held)
        text, self._held = self._held[:at], self._held[at:]
        return self._show(text) if text else None

    def _in_code(self, at: int) -> bool:
        before = self._last + self._held[:at]
        return before.endswith("`") or (self._fences + before.count(_FENCE)) % 2 == 1

    def _show(self, text: str) -> str:
        if self._trim:
            text = text.lstrip()
        if text:
            self._count_fences(self._last + text)
            if text.strip():
                self._spoken = True
                self._trim = False
        return text

    def _count_fences(self, text: str) -> None:
        self._fences += text.count(_FENCE)
        ticks = len(text) - len(text.rstrip("`"))
        # Three or more are counted already; one stays, so that the next text knows what it follows.
        self._last = "`" * (ticks if ticks < len(_FENCE) else 1)


def _may_grow(text: str) -> bool:
    return len(text) < _LONGEST and any(tag.startswith(text) for tag in _TAGS)
