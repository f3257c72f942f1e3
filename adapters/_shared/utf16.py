"""Lengths and offsets in UTF-16 code units, as some platforms count."""

from __future__ import annotations

from collections.abc import Iterable


def units(text: str) -> int:
    """Return the length in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def offsets(text: str, places: Iterable[int]) -> dict[int, int]:
    """Return each place, given as an index into the string, counted in UTF-16 code units."""
    wanted = sorted(set(places))
    if units(text) == len(text):
        return {place: place for place in wanted}
    found: dict[int, int] = {}
    before, counted = 0, 0
    for place in wanted:
        counted += units(text[before:place])
        before = place
        found[place] = counted
    return found
