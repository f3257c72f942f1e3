"""Plainer forms of blocks that fit no piece as they are: the form is given up, the content is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from adapters._shared import inlines
from adapters._shared.tree import (
    Block,
    Blocks,
    Break,
    CodeBlock,
    Heading,
    Inline,
    Inlines,
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

_MAX_LABEL = 40
"""A longer column title is not repeated in front of a cell."""


def loosened(block: Block, fits: Callable[[Blocks], bool]) -> Blocks | None:
    """Return the same content one form plainer, None where it is plain text already."""
    match block:
        case Paragraph():
            return _loosened_lines(block.children)
        case Heading():
            return (Paragraph(children=block.children),)
        case CodeBlock():
            return (Paragraph(children=_lines(block.text)),) if block.text else ()
        case Quote():
            others = block.children[1:]
            return block.children[:1] + ((replace(block, children=others),) if others else ())
        case List():
            return _loosened_list(block)
        case Table():
            return _loosened_table(block, fits)
        case Rule():
            return ()
        case _:
            assert_never(block)


def _loosened_lines(nodes: Inlines) -> Blocks | None:
    if not nodes:
        return ()
    looser = inlines.loosen(nodes)
    if looser is None:
        return None
    return (Paragraph(children=looser),) if looser else ()


def _lines(text: str) -> Inlines:
    nodes: list[Inline] = []
    for line in text.split("\n"):
        nodes.extend((Break(hard=True), Text(text=line)) if nodes else (Text(text=line),))
    return tuple(nodes)


def _loosened_list(block: List) -> Blocks:
    if not block.items:
        return ()
    item, others = block.items[0], block.items[1:]
    label = "" if block.start is None or item.continued else f"{block.start}. "
    start = None if block.start is None else block.start + 1
    return _labelled(label, item.children) + ((replace(block, items=others, start=start),) if others else ())


def _labelled(label: str, children: Blocks) -> Blocks:
    if not label:
        return children
    if children and isinstance(children[0], Paragraph):
        return (Paragraph(children=(Text(text=label), *children[0].children)), *children[1:])
    return (Paragraph(children=(Text(text=label.strip()),)), *children)


def _loosened_table(block: Table, fits: Callable[[Blocks], bool]) -> Blocks:
    rest = replace(block, rows=block.rows[1:])
    if block.header and not fits((replace(block, rows=()),)):
        titles = tuple(Paragraph(children=cell) for cell in block.header if cell)
        return (*titles, replace(block, header=(), rows=block.rows)) if block.rows else titles
    if not block.rows:
        return ()
    return _cells(block.header, block.rows[0]) + ((rest,) if rest.rows else ())


def _cells(header: Row, row: Row) -> Blocks:
    """Return one paragraph a cell, each behind its column's title."""
    paragraphs: list[Block] = []
    for index, cell in enumerate(row):
        title = header[index] if index < len(header) else ()
        known = bool(title) and len(inlines.spelled(title)) <= _MAX_LABEL
        label: Inlines = (Marked(mark=Mark.STRONG, children=(*title, Text(text=":"))), Text(text=" ")) if known else ()
        if cell:
            paragraphs.append(Paragraph(children=label + cell))
    return tuple(paragraphs)
