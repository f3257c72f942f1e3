"""What a reader sees as characters: their width, where a text may be cut, and whether it shows anything."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me"})
# Letters and signs by category, but drawn as nothing: Hangul fillers and the empty Braille pattern.
_DRAWN_EMPTY = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def columns(text: str) -> int:
    """Return how many columns the text takes in a font of fixed width."""
    return len(text) if text.isascii() else sum(_column(char) for char in text)


def blank(text: str) -> bool:
    """Say whether a reader would see nothing."""
    return all(char in _DRAWN_EMPTY or unicodedata.category(char) in _INVISIBLE for char in text)


def boundary(text: str, at: int) -> int:
    """Return the last place up to `at` that does not cut a visible character apart, `at` itself where there is none."""
    place = at
    while 0 < place < len(text) and _joined(text, place):
        place -= 1
    return place or at


def _column(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _joined(text: str, place: int) -> bool:
    after, before = text[place], text[place - 1]
    if after == _JOINER or before == _JOINER or unicodedata.category(after) in ("Mn", "Me", "Mc"):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    return _is_region(after) and _regions_before(text, place) % 2 == 1


def _is_region(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _regions_before(text: str, place: int) -> int:
    """Two regional signs make one flag: count how many stand in a row."""
    count = 0
    while count < place and _is_region(text[place - 1 - count]):
        count += 1
    return count
