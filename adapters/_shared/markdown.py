"""Markdown to tree: CommonMark with GFM tables, strikethrough and task lists, parsed once.

Raw HTML is text like any other, except `<br>`, which ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters._shared.plain import inline_text
from adapters._shared.tree import (
    Align,
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
    Row,
    Rule,
    Table,
    Text,
)

MAX_DEPTH = 40
"""Deeper blocks make the whole text literal; deeper inline marks are left out. Guards the stack."""

_PARSER = MarkdownIt("commonmark", {"maxNesting": MAX_DEPTH}).enable(["table", "strikethrough"]).disable("html_block")

# A line that starts with a letter is a paragraph; without the characters that mean something within a line, it
# says itself.
_ONE_LINE = re.compile(r"[^\W\d_](?:[^\x00-\x1f\x7f\ud800-\udfff]*[^\s\x00-\x1f\x7f\ud800-\udfff])?")
_MEANS_SOMETHING = re.compile(r"[\\`*_~\[\]<>&]")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x0d\x0e-\x1f\x7f\ud800-\udfff]")
_LINE_BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TASK = re.compile(r"\[([ xX])\]\s+")
_LANGUAGE = re.compile(r"[\w+#.-]{1,40}")
_MARKS = {"strong_open": Mark.STRONG, "em_open": Mark.EMPHASIS, "s_open": Mark.STRIKE}


def parse(text: str) -> Blocks:
    """Return the tree of a Markdown text; whatever the text, nothing visible is lost."""
    if not _ONE_LINE.fullmatch(text):
        return parse_in_full(text)
    if not _MEANS_SOMETHING.search(text):
        return (Paragraph(children=(Text(text=text),)),)
    return (Paragraph(children=_inlines(_PARSER.parseInline(text)[0].children or ())),)


def parse_in_full(text: str) -> Blocks:
    """Return what `parse` returns, without its short cuts."""
    source = clean(text.replace("\r\n", "\n").replace("\r", "\n"))
    tokens = _PARSER.parse(source)
    # The parser drops what lies deeper than its limit.
    if any(token.level >= MAX_DEPTH - 1 for token in tokens):
        return (Paragraph(children=literal(source)),)
    return _Reader(tokens).blocks()


def literal(text: str) -> Inlines:
    """Return text that means nothing but itself, as nodes."""
    nodes: list[Inline] = []
    _add_text(nodes, text)
    return tuple(nodes)


def clean(text: str) -> str:
    """Return the text without characters that no message can carry."""
    return _UNPRINTABLE.sub(_replaced, text) if _UNPRINTABLE.search(text) else text


def _replaced(match: re.Match[str]) -> str:
    if match[0] in "\x0b\x0c\r":
        return " "
    return "\N{REPLACEMENT CHARACTER}" if "\ud800" <= match[0] <= "\udfff" else ""


class _Reader:
    """Reads the parser's flat tokens back into nested blocks."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def blocks(self) -> Blocks:
        """Read blocks up to the end of what holds them."""
        found: list[Block] = []
        while self._at < len(self._tokens) and self._tokens[self._at].nesting >= 0:
            found.append(self._block(self._next()))
        return tuple(found)

    def _next(self) -> Token:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _block(self, token: Token) -> Block:
        match token.type:
            case "paragraph_open":
                return Paragraph(children=self._line())
            case "heading_open":
                return Heading(level=int(token.tag[1:]), children=self._line())
            case "fence" | "code_block":
                return _code_block(token)
            case "blockquote_open":
                return Quote(children=self._inside())
            case "bullet_list_open" | "ordered_list_open":
                return self._list(token)
            case "table_open":
                return self._table()
            case "hr":
                return Rule()
            case _:
                raise AssertionError(f"the parser made a {token.type}, which was never turned on")

    def _inside(self) -> Blocks:
        children = self.blocks()
        self._at += 1
        return children

    def _line(self) -> Inlines:
        children = _inlines(self._next().children or ())
        self._at += 1
        return children

    def _list(self, opening: Token) -> List:
        items: list[Item] = []
        tight = True
        while self._tokens[self._at].type == "list_item_open":
            self._at += 1
            first = self._tokens[self._at]
            tight = tight and (first.type != "paragraph_open" or first.hidden)
            source = self._tokens[self._at + 1].content if first.type == "paragraph_open" else ""
            items.append(_item(self._inside(), source))
        self._at += 1
        start = int(opening.attrs.get("start", 1)) if opening.type == "ordered_list_open" else None
        return List(items=tuple(items), start=start, tight=tight)

    def _table(self) -> Table:
        rows: list[Row] = []
        row: list[Inlines] = []
        aligns: list[Align] = []
        while (token := self._next()).type != "table_close":
            match token.type:
                case "tr_open":
                    row = []
                case "th_open":
                    aligns.append(_align(token))
                case "inline":
                    row.append(_inlines(token.children or ()))
                case "tr_close":
                    rows.append(tuple(row))
        return Table(header=rows[0], rows=tuple(rows[1:]), aligns=tuple(aligns))


def _code_block(token: Token) -> CodeBlock:
    language = _LANGUAGE.match(token.info.strip())
    return CodeBlock(text=token.content.removesuffix("\n"), language=language[0] if language else "")


def _align(token: Token) -> Align:
    style = str(token.attrs.get("style", ""))
    return Align(style.removeprefix("text-align:")) if style else Align.LEFT


def _item(children: Blocks, source: str) -> Item:
    sign = _TASK.match(source)
    if sign is None or not children or not isinstance(children[0], Paragraph):
        return Item(children=children)
    first = children[0].children
    if not first or not isinstance(first[0], Text) or _TASK.match(first[0].text) is None:
        return Item(children=children)
    said = Text(text=_TASK.sub("", first[0].text, count=1))
    rest = (said, *first[1:]) if said.text else first[1:]
    return Item(children=(Paragraph(children=rest), *children[1:]), checked=sign[1] != " ")


def _inlines(tokens: Iterable[Token]) -> Inlines:
    stack: list[tuple[Token | None, list[Inline]]] = [(None, [])]
    for token in tokens:
        if token.nesting == 1:
            stack.append((token, []))
        elif token.nesting == -1:
            opening, children = stack.pop()
            if opening is None or len(stack) > MAX_DEPTH:
                stack[-1][1].extend(children)
            else:
                stack[-1][1].append(_wrapped(opening, tuple(children)))
        else:
            _add(stack[-1][1], token)
    return tuple(stack[0][1])


def _wrapped(opening: Token, children: Inlines) -> Inline:
    if opening.type != "link_open":
        return Marked(mark=_MARKS[opening.type], children=children)
    url = str(opening.attrs["href"])
    return Link(url=url, children=children or (Text(text=url),))


def _add(nodes: list[Inline], token: Token) -> None:
    match token.type:
        case "text":
            _add_text(nodes, token.content)
        case "code_inline":
            nodes.append(Code(text=token.content))
        case "softbreak":
            if not (nodes and isinstance(nodes[-1], Break)):
                nodes.append(Break())
        case "hardbreak":
            nodes.append(Break(hard=True))
        case "html_inline" if _LINE_BREAK_TAG.fullmatch(token.content):
            nodes.append(Break(hard=True))
        case "html_inline":
            _add_text(nodes, token.content)
        case "image":
            alt = inline_text(_inlines(token.children or ())).replace("\n", " ").strip()
            nodes.append(Image(url=str(token.attrs["src"]), alt=alt))
        case _:
            raise AssertionError(f"the parser made a {token.type}, which was never turned on")


def _add_text(nodes: list[Inline], text: str) -> None:
    first, *others = text.split("\n")
    _add_line(nodes, first)
    for line in others:
        nodes.append(Break())
        _add_line(nodes, line)


def _add_line(nodes: list[Inline], line: str) -> None:
    said = clean(line)
    if not said:
        return
    if nodes and isinstance(nodes[-1], Text):
        nodes[-1] = Text(text=nodes[-1].text + said)
    else:
        nodes.append(Text(text=said))
