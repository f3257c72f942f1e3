"""Tree to text with entities: no parse mode is used, so no text can be refused by a parser.

https://core.telegram.org/bots/api#messageentity
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any, assert_never
from urllib.parse import urlsplit

from adapters._shared.plain import inline_text, with_address
from adapters._shared.tables import aligned
from adapters._shared.tree import (
    Block,
    Blocks,
    Break,
    Code,
    CodeBlock,
    Heading,
    Image,
    Inline,
    Inlines,
    Item,
    Link,
    List,
    Mark,
    Marked,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
)
from adapters._shared.utf16 import offsets, units
from adapters.telegram.facts import MAX_ENTITIES

_TYPES = {Mark.STRONG: "bold", Mark.EMPHASIS: "italic", Mark.STRIKE: "strikethrough"}
# Of entities over the same stretch, the outer one comes first.
_OUTER_FIRST = ("blockquote", "text_link", "bold", "italic", "strikethrough", "code", "pre")
_BULLETS = "•◦▪"
_SIGNS = {True: "☑ ", False: "☐ "}
_RULE = "──────────"
_STEP = "   "
_EMPTY_LINES = re.compile(r"(?:[^\S\n]*\n)+")
_QUOTED_AGAIN = "│ "
_MAX_INDENT = 15
"""Deeper lists stay at this depth, so that narrow screens keep room for words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A text with its entities, in the platform's own words."""

    text: str
    entities: tuple[dict[str, Any], ...]


def write(blocks: Blocks) -> Written:
    """Return the text of a tree, trimmed, with legal entities. It may be empty."""
    writer = _Writer()
    writer.blocks(blocks, gap=2)
    return writer.written()


def within(blocks: Blocks, limit: int) -> Written | None:
    """Return what `write` returns, None if it is too long or holds too many entities.

    Gives up as soon as the limit is passed.
    """
    writer = _Writer(stop=limit)
    writer.blocks(blocks, gap=2)
    if writer.stopped:
        return None
    written = writer.written()
    return written if len(written.entities) <= MAX_ENTITIES and units(written.text) <= limit else None


def linkable(url: str) -> bool:
    """Say whether the platform takes the address in a `text_link`; it refuses the whole message for others."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or port == 0:
        return False
    host = parts.hostname or ""
    return "." in host.strip(".") and not any(char.isspace() for char in url)


@dataclass(kw_only=True, slots=True)
class _Span:
    """A stretch of the text, by string index."""

    type: str
    start: int
    end: int = -1
    extra: tuple[tuple[str, str], ...] = ()


class _Writer:
    """Writes blocks one after the other and remembers where each entity stands."""

    def __init__(self, *, stop: int = sys.maxsize) -> None:
        self.stopped = False
        """More than `stop` characters were there: what followed was left out."""
        self._stop = stop
        self._chunks: list[str] = []
        self._size = 0
        self._spans: list[_Span] = []
        self._open: list[_Span] = []
        self._gap = 0
        self._indent = ""
        self._list_depth = 0
        self._quoted = False

    def written(self) -> Written:
        """Return what was written, trimmed as the platform trims it."""
        text = "".join(self._chunks)
        first_pre = min((span.start for span in self._spans if span.type == "pre"), default=len(text))
        lead = min(len(text) - len(text.lstrip()), first_pre)
        kept = text[lead:].rstrip()
        return Written(text=kept, entities=_entities(kept, self._spans, lead))

    def blocks(self, blocks: Blocks, *, gap: int) -> None:
        """Write blocks with `gap` line ends between them."""
        for index, block in enumerate(blocks):
            if self._is_full():
                return
            if index:
                self._begin(gap)
            self._block(block)

    def _block(self, block: Block) -> None:
        match block:
            case Paragraph():
                self._line(block.children)
            case Heading():
                self._marked("bold", block.children)
            case CodeBlock():
                self._pre(block.text, block.language)
            case Quote():
                self._quote(block)
            case List():
                self._list(block)
            case Table():
                self._pre(aligned(block, enough=self._stop), "")
            case Rule():
                self._put(_RULE)
            case _:
                assert_never(block)

    def _is_full(self) -> bool:
        self.stopped = self.stopped or self._size > self._stop
        return self.stopped

    def _begin(self, lines: int) -> None:
        """Let the next text start at least this many lines further down."""
        self._gap = max(self._gap, lines)

    def _put(self, text: str) -> None:
        if not text:
            return
        self._settle()
        self._chunks.append(text)
        self._size += len(text)

    def _settle(self) -> None:
        """Write the line ends that are due, and the indent of the line that starts."""
        if self._size == 0:
            lead = self._indent.lstrip(" ")
        elif self._gap:
            lead = "\n" * self._gap + self._indent
        else:
            return
        self._gap = 0
        if lead:
            self._chunks.append(lead)
            self._size += len(lead)

    # --- blocks that need care ------------------------------------------------------------------------

    def _pre(self, text: str, language: str) -> None:
        shown = _without_blank_edges(text)
        if not shown:
            return
        indent, self._indent = self._indent, ""
        self._begin(1)
        self._settle()
        start = self._size
        self._put(shown)
        self._close(_Span(type="pre", start=start, extra=(("language", language),) if language else ()))
        self._indent = indent
        self._begin(1)

    def _quote(self, quote: Quote) -> None:
        indent, quoted = self._indent, self._quoted
        self._indent = self._deeper(indent, _QUOTED_AGAIN) if quoted else ""
        self._quoted = True
        self._begin(1)
        # A quote cannot hold another one: the inner one is drawn with a bar.
        span = None if quoted else self._begun("blockquote")
        self.blocks(quote.children, gap=2)
        if span is not None:
            self._close(span)
        self._indent, self._quoted = indent, quoted
        self._begin(1)

    def _list(self, block: List) -> None:
        gap = 1 if block.tight else 2
        for index, item in enumerate(block.items):
            if self._is_full():
                return
            if index:
                self._begin(gap)
            self._item(item, self._marker(item, None if block.start is None else block.start + index), gap)

    def _item(self, item: Item, marker: str, gap: int) -> None:
        self._put(marker)
        indent = self._indent
        self._indent = self._deeper(indent, _STEP)
        self._list_depth += 1
        self.blocks(item.children, gap=gap)
        self._list_depth -= 1
        self._indent = indent

    def _marker(self, item: Item, number: int | None) -> str:
        if item.continued:
            return ""
        label = "" if number is None else f"{number}. "
        if item.checked is not None:
            return label + _SIGNS[item.checked]
        return label or _BULLETS[min(self._list_depth, len(_BULLETS) - 1)] + " "

    @staticmethod
    def _deeper(indent: str, step: str) -> str:
        return indent + step if len(indent) + len(step) <= _MAX_INDENT else indent

    # --- within a line ----------------------------------------------------------------------------------

    def _line(self, nodes: Inlines) -> None:
        for node in nodes:
            self._node(node)

    def _node(self, node: Inline) -> None:
        match node:
            case Text():
                self._put(node.text)
            case Break():
                self._gap += 1
            case Code():
                self._code(node.text)
            case Marked():
                self._marked(_TYPES[node.mark], node.children)
            case Link():
                self._link(node.url, node.children)
            case Image():
                self._link(node.url, (Text(text=node.alt or node.url),))
            case _:
                assert_never(node)

    def _marked(self, kind: str, children: Inlines) -> None:
        if self._is_open(kind):
            self._line(children)
            return
        span = self._begun(kind)
        self._open.append(span)
        self._line(children)
        self._close(self._open.pop())

    def _link(self, url: str, children: Inlines) -> None:
        if self._is_open("text_link"):
            self._line(children)
            return
        if not linkable(url):
            self._line(children)
            self._put(with_address(inline_text(children), url))
            return
        span = self._begun("text_link", ("url", url))
        self._open.append(span)
        self._line(children)
        self._close(self._open.pop())

    def _code(self, text: str) -> None:
        """Write code; it can be part of no other entity, so those around it end before and go on behind it."""
        if self._is_open("text_link"):
            self._put(text)
            return
        self._settle()
        for span in self._open:
            self._close(_Span(type=span.type, start=span.start, extra=span.extra))
        start = self._size
        self._put(text)
        self._close(_Span(type="code", start=start))
        for span in self._open:
            span.start = self._size

    def _is_open(self, kind: str) -> bool:
        return any(span.type == kind for span in self._open)

    def _begun(self, kind: str, *extra: tuple[str, str]) -> _Span:
        return _Span(type=kind, start=self._size, extra=extra)

    def _close(self, span: _Span) -> None:
        span.end = self._size
        self._spans.append(span)


def _without_blank_edges(text: str) -> str:
    """Return code without empty lines around it; the first line keeps its indent."""
    shown = text.rstrip()
    empty = _EMPTY_LINES.match(shown)
    return shown[empty.end() :] if empty else shown


def _entities(text: str, spans: list[_Span], lead: int) -> tuple[dict[str, Any], ...]:
    """Return the spans as entities, without blanks at their edges, outer before inner."""
    if not spans:
        return ()
    code_starts = [span.start - lead for span in spans if span.type == "pre"]
    trimmed = [_trimmed(text, span, lead, code_starts) for span in spans]
    kept = [span for span in trimmed if span.start < span.end]
    kept.sort(key=lambda span: (span.start, -span.end, _OUTER_FIRST.index(span.type)))
    counted = offsets(text, [place for span in kept for place in (span.start, span.end)])
    return tuple(
        {
            "type": span.type,
            "offset": counted[span.start],
            "length": counted[span.end] - counted[span.start],
            **dict(span.extra),
        }
        for span in kept
    )


def _trimmed(text: str, span: _Span, lead: int, code_starts: list[int]) -> _Span:
    start, end = max(0, span.start - lead), min(span.end - lead, len(text))
    # The indent of a code block's first line is no blank edge, not even of a quote around it.
    while start < end and text[start].isspace() and start not in code_starts:
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return _Span(type=span.type, start=start, end=end, extra=span.extra)
