"""Tables as text with aligned columns, for platforms that have none."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from adapters._shared.characters import columns
from adapters._shared.plain import inline_text
from adapters._shared.tree import Align, Row, Table

MAX_PADDING = 32
"""Wider cells push their own row aside instead of filling all others with blanks."""


def aligned(table: Table, *, enough: int = sys.maxsize) -> str:
    """Return the table for a font of fixed width, one line a row.

    Rows may be left out behind the first `enough` characters: for measuring.
    """
    cells = _cells(([table.header] if table.header else []) + list(table.rows), len(table.aligns), enough)
    widths = [min(MAX_PADDING, max(columns(row[index]) for row in cells)) for index in range(len(table.aligns))]
    lines = [_line(row, widths, table.aligns) for row in cells]
    if table.header:
        lines.insert(1, "-|-".join("-" * width for width in widths))
    return "\n".join(lines)


def _cells(rows: Sequence[Row], count: int, enough: int) -> list[list[str]]:
    cells: list[list[str]] = []
    size = 0
    for row in rows:
        if size > enough:
            break
        cells.append([_cell(row, index) for index in range(count)])
        size += sum(len(cell) for cell in cells[-1])
    return cells


def _cell(row: Row, index: int) -> str:
    return " ".join(inline_text(row[index]).split()) if index < len(row) else ""


def _line(row: Sequence[str], widths: Sequence[int], aligns: Sequence[Align]) -> str:
    padded = (_padded(cell, width, align) for cell, width, align in zip(row, widths, aligns, strict=True))
    return " | ".join(padded).rstrip()


def _padded(cell: str, width: int, align: Align) -> str:
    room = max(0, width - columns(cell))
    if align is Align.RIGHT:
        return " " * room + cell
    if align is Align.CENTER:
        return " " * (room // 2) + cell + " " * (room - room // 2)
    return cell + " " * room
