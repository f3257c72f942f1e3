"""Wording: numbers, durations and foreign names as they stand in a sentence."""

from __future__ import annotations

import unicodedata

NAME_CHARACTERS = 64

_LINE_ENDS = frozenset({"Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn"})
_JOINER = "\u200d"
"""Holds the parts of one emoji together."""


def one_line(text: str, *, most: int = NAME_CHARACTERS) -> str:
    """Return foreign text as one line of bounded length, without control characters."""
    if text.isascii() and text.isprintable():
        line = text
    else:
        line = "".join(character if _shown(character) else " " for character in text[: most * 4])
    line = " ".join(line.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _shown(character: str) -> bool:
    return character == _JOINER or unicodedata.category(character) not in _LINE_ENDS


def code(text: str) -> str:
    """Return foreign text as a Markdown code span, which no formatting and no mention can leave."""
    return f"`{one_line(text).replace('`', chr(39)) or ' '}`"


def number(value: int) -> str:
    """Return a number that can be read at a glance."""
    return f"{value:,}"


def count(value: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 message`, `2 messages`."""
    return f"{number(value)} {one if value == 1 else many or one + 's'}"


def usd(value: float) -> str:
    """Return an amount of money; what is not nothing never reads as nothing."""
    if 0 < value < 0.0001:
        return "less than $0.0001"
    return f"${value:,.4f}" if 0 < value < 0.01 else f"${value:,.2f}"


def duration(seconds: float) -> str:
    """Return a time span in its two largest units."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{count(days, 'day')} {hours} h" if hours else count(days, "day")
