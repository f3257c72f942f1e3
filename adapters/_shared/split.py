"""Split a tree into pieces within a limit.

The tree is cut, never its text: each piece is a tree of its own, so fences, tables, lists, quotes, marks and links
are whole in every piece.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from adapters._shared import inlines
from adapters._shared.characters import boundary
from adapters._shared.loosen import loosened
from adapters._shared.search import most
from adapters._shared.tree import Block, Blocks, CodeBlock, Heading, Item, List, Paragraph, Quote, Rule, Table

_STUB_CHARACTERS = 60
"""Less of a long paragraph is not worth leaving at the end of a piece."""
_STUB_LINES = 3
"""The same for lines of code."""

Fits = Callable[[Blocks], bool]


def split(blocks: Blocks, limit: int, measure: Callable[[Blocks], int]) -> tuple[Blocks, ...]:
    """Return the pieces, each within `limit` as `measure` counts it.

    `measure` must not shrink when a tree grows, and may stop counting above the limit. Only what cannot be made
    smaller may stay over it: one character of plain text.
    """
    if not blocks:
        return ()
    if measure(blocks) <= limit:
        return (blocks,)

    def fits(piece: Blocks) -> bool:
        return measure(piece) <= limit

    pieces: list[Blocks] = []
    rest = blocks
    while rest:
        head, tail = _take(rest, _Space(fits=fits, alone=fits, empty=True))
        if head:
            pieces.append(head)
            rest = tail
            continue
        looser = loosened(rest[0], fits)
        if looser is None:
            pieces.append(rest[:1])
        rest = (looser or ()) + rest[1:]
    return tuple(pieces)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Space:
    """What is left of a piece, at one place of the tree."""

    fits: Fits
    """Beside what the piece holds already."""
    alone: Fits
    """In a piece that holds nothing else."""
    empty: bool
    """The piece holds nothing yet."""

    def after(self, head: Blocks) -> _Space:
        """Return the space behind these blocks."""
        if not head:
            return self
        return _Space(fits=lambda blocks: self.fits(head + blocks), alone=self.alone, empty=False)

    def within(self, wrap: Callable[[Blocks], Block]) -> _Space:
        """Return the space inside a block."""
        return _Space(
            fits=lambda blocks: self.fits((wrap(blocks),)),
            alone=lambda blocks: self.alone((wrap(blocks),)),
            empty=self.empty,
        )


def _take(blocks: Blocks, space: _Space) -> tuple[Blocks, Blocks]:
    """Return what goes into the space and what is left."""
    count = most(len(blocks), lambda number: space.fits(blocks[:number]))
    head, rest = blocks[:count], blocks[count:]
    if not rest:
        return head, ()
    # A title must not stand alone at the end of a piece.
    title_only = bool(head) and all(isinstance(block, Heading) for block in head)
    if title_only or not space.alone(rest[:1]):
        first, second = _cut(rest[0], space.after(head))
        if first:
            return head + first, second + rest[1:]
    while len(head) > 1 and isinstance(head[-1], Heading):
        head, rest = head[:-1], head[-1:] + rest
    return head, rest


def _cut(block: Block, space: _Space) -> tuple[Blocks, Blocks]:
    """Return the part of a block that goes into the space, empty where none does, and the rest of the block."""
    match block:
        case Paragraph() | Heading():
            return _cut_lines(block, space)
        case CodeBlock():
            return _cut_code(block, space)
        case Quote():
            first, second = _take(block.children, space.within(lambda children: Quote(children=children)))
            return (Quote(children=first),) if first else (), (Quote(children=second),) if second else ()
        case List():
            return _cut_list(block, space)
        case Table():
            return _cut_table(block, space)
        case Rule():
            return (), (block,)
        case _:
            assert_never(block)


def _cut_lines(block: Paragraph | Heading, space: _Space) -> tuple[Blocks, Blocks]:
    first, second = inlines.cut(block.children, lambda nodes: space.fits((replace(block, children=nodes),)))
    if not first or (not space.empty and len(inlines.spelled(first)) < _STUB_CHARACTERS):
        return (), (block,)
    return (replace(block, children=first),), (replace(block, children=second),) if second else ()


def _cut_code(block: CodeBlock, space: _Space) -> tuple[Blocks, Blocks]:
    text = block.text
    count = most(len(text), lambda number: space.fits((replace(block, text=text[:number]),)), step=64)
    if count in (0, len(text)):
        return ((block,), ()) if count else ((), (block,))
    place = _place_in_code(text, count)
    if not space.empty and text.count("\n", 0, place) + 1 < _STUB_LINES:
        return (), (block,)
    rest = text[place + 1 :] if text[place] == "\n" else text[place:]
    return (replace(block, text=text[:place]),), (replace(block, text=rest),) if rest else ()


def _place_in_code(text: str, count: int) -> int:
    """Return the best place within the first characters: an empty line, a line's end, a blank, a visible character."""
    gap = text.rfind("\n\n", count // 2, count + 1)
    if gap > 0:
        return gap
    line = text.rfind("\n", 0, count + 1)
    if line > 0:
        return line
    word = text.rfind(" ", count // 2, count)
    return word + 1 if word > 0 else boundary(text, count)


def _cut_list(block: List, space: _Space) -> tuple[Blocks, Blocks]:
    items = block.items
    count = most(len(items), lambda number: space.fits((replace(block, items=items[:number]),)))
    if count == len(items):
        return (block,), ()
    kept, item = items[:count], items[count]
    if not space.alone((replace(block, items=(item,)),)):
        first, second = _cut_item(block, count, space)
        if first:
            begun = replace(block, items=(*kept, replace(item, children=first)))
            return (begun,), _rest(block, count, second)
    if not kept:
        return (), (block,)
    return (replace(block, items=kept),), (_from(block, count, items[count:]),)


def _cut_item(block: List, count: int, space: _Space) -> tuple[Blocks, Blocks]:
    kept, item = block.items[:count], block.items[count]
    inner = _Space(
        fits=lambda children: space.fits((replace(block, items=(*kept, replace(item, children=children))),)),
        alone=lambda children: space.alone((replace(block, items=(replace(item, children=children),)),)),
        empty=space.empty and not kept,
    )
    return _take(item.children, inner)


def _rest(block: List, count: int, children: Blocks) -> Blocks:
    """Return the list from the item at `count` on, of which only these children are left."""
    later = block.items[count + 1 :]
    if children:
        return (_from(block, count, (replace(block.items[count], children=children, continued=True), *later)),)
    return (_from(block, count + 1, later),) if later else ()


def _from(block: List, count: int, items: tuple[Item, ...]) -> List:
    return replace(block, items=items, start=None if block.start is None else block.start + count)


def _cut_table(block: Table, space: _Space) -> tuple[Blocks, Blocks]:
    rows = block.rows
    count = most(len(rows), lambda number: space.fits((replace(block, rows=rows[:number]),)))
    if count == 0:
        return (), (block,)
    later = rows[count:]
    return (replace(block, rows=rows[:count]),), (replace(block, rows=later),) if later else ()
