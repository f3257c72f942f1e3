"""One-time codes, as people type them and as we keep them."""

from __future__ import annotations

import hashlib
import re

from bot.typography import plain

_WRAPPING = "`'\"<>.,"
_BARE = re.compile(r"[A-Za-z0-9_-]{6,100}")


def tidy(text: str) -> str:
    """Return the code without what surrounds it in a message."""
    return plain(text).strip().strip(_WRAPPING).strip()


def looks_like_one(text: str) -> bool:
    """Say whether a text, alone, may be a code."""
    return _BARE.fullmatch(tidy(text)) is not None


def hash_code(code: str) -> str:
    """Return what is kept of a code: it cannot be read back."""
    return hashlib.sha256(tidy(code).encode()).hexdigest()
