"""Tree to HTML for a page of ours: everything is escaped, nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from html import escape
from typing import assert_never
from urllib.parse import urlsplit

from adapters._shared.plain import inline_text, with_address
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
    Marked,
    Paragraph,
    Quote,
    Row,
    Rule,
    Table,
    Text,
)

_SCHEMES = frozenset({"http", "https", "mailto"})
_BARE_ADDRESS = re.compile(r"https?://[^\s<>\"]+")
_AFTER_ADDRESS = ".,:;!?'*_~"


def html(blocks: Blocks) -> str:
    """Return the HTML of a tree, safe to put into a page."""
    return "\n".join(_block(block, tight=False) for block in blocks)


def _block(block: Block, *, tight: bool) -> str:
    match block:
        case Paragraph():
            content = _line(block.children)
            return content if tight else f"<p>{content}</p>"
        case Heading():
            return f"<h{block.level}>{_line(block.children)}</h{block.level}>"
        case CodeBlock():
            language = f' class="language-{escape(block.language)}"' if block.language else ""
            return f"<pre><code{language}>{escape(block.text)}\n</code></pre>"
        case Quote():
            return f"<blockquote>\n{html(block.children)}\n</blockquote>"
        case List():
            return _list(block)
        case Table():
            return _table(block)
        case Rule():
            return "<hr>"
        case _:
            assert_never(block)


def _list(block: List) -> str:
    items = "\n".join(_item(item, tight=block.tight) for item in block.items)
    if block.start is None:
        return f"<ul>\n{items}\n</ul>"
    start = "" if block.start == 1 else f' start="{block.start}"'
    return f"<ol{start}>\n{items}\n</ol>"


def _item(item: Item, *, tight: bool) -> str:
    content = "\n".join(_block(child, tight=tight) for child in item.children)
    if item.checked is None:
        return f"<li>{content}</li>"
    checked = " checked" if item.checked else ""
    return f'<li class="task"><input type="checkbox" disabled{checked}> {content}</li>'


def _table(block: Table) -> str:
    head = f"<thead>\n{_row(block.header, block.aligns, 'th')}\n</thead>\n" if block.header else ""
    rows = "\n".join(_row(row, block.aligns, "td") for row in block.rows)
    body = f"<tbody>\n{rows}\n</tbody>\n" if rows else ""
    return f'<div class="table-scroll"><table>\n{head}{body}</table></div>'


def _row(row: Row, aligns: tuple[Align, ...], tag: str) -> str:
    cells = (f'<{tag} class="align-{align}">{_line(cell)}</{tag}>' for cell, align in zip(row, aligns, strict=False))
    return f"<tr>{''.join(cells)}</tr>"


def _line(nodes: Inlines, *, linked: bool = False) -> str:
    return "".join(_node(node, linked=linked) for node in nodes)


def _node(node: Inline, *, linked: bool) -> str:
    match node:
        case Text():
            return escape(node.text) if linked else _with_links(node.text)
        case Code():
            return f"<code>{escape(node.text)}</code>"
        case Break():
            return "<br>\n"
        case Marked():
            return f"<{node.mark}>{_line(node.children, linked=linked)}</{node.mark}>"
        case Link():
            return _link(node.url, inline_text(node.children), _line(node.children, linked=True), linked=linked)
        case Image():
            # A picture from elsewhere would tell its server who reads: it becomes a link.
            label = node.alt or node.url
            return _link(node.url, label, escape(label), linked=linked)
        case _:
            assert_never(node)


def _link(url: str, label: str, content: str, *, linked: bool) -> str:
    if linked:
        return content
    if not _is_safe(url):
        return content + escape(with_address(label, url))
    return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">{content}</a>'


def _is_safe(url: str) -> bool:
    try:
        return urlsplit(url).scheme in _SCHEMES
    except ValueError:
        return False


def _with_links(text: str) -> str:
    """Return text in which bare web addresses are links."""
    pieces: list[str] = []
    done = 0
    for match in _BARE_ADDRESS.finditer(text):
        url = _address(match[0])
        if not _is_safe(url):
            continue
        pieces += (escape(text[done : match.start()]), _link(url, url, escape(url), linked=False))
        done = match.start() + len(url)
    return "".join((*pieces, escape(text[done:])))


def _address(found: str) -> str:
    """Return an address without the punctuation of the sentence around it."""
    url = found.rstrip(_AFTER_ADDRESS)
    while url.endswith(")") and url.count(")") > url.count("("):
        url = url[:-1].rstrip(_AFTER_ADDRESS)
    return url
