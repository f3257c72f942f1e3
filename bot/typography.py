"""Typography: what phones put in place of what a keyboard has, undone where a machine must read it."""

from __future__ import annotations

_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
_SHORT_DASHES = "\u2010\u2011\u2012\u2013\u2212"
_LONG_DASHES = "\u2014\u2015"
_INVISIBLE = "\u200b\u200e\u200f\u2060\ufeff"

_PLAIN = (
    {ord(space): " " for space in _SPACES}
    | {ord(quote): "'" for quote in _SINGLE_QUOTES}
    | {ord(quote): '"' for quote in _DOUBLE_QUOTES}
    | {ord(dash): "-" for dash in _SHORT_DASHES}
    # Keyboards of phones make a long dash of two hyphens.
    | {ord(dash): "--" for dash in _LONG_DASHES}
    | {ord(mark): None for mark in _INVISIBLE}
)


def plain(text: str) -> str:
    """Return the text with plain spaces, quotes and dashes, and without invisible marks."""
    return text if text.isascii() else text.translate(_PLAIN)
