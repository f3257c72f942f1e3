"""Sessions: the token in a browser's cookie, and what is made of it. Pure but for the drawing of tokens."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping

COOKIE = "deckhand_session"
SIGN_IN_COOKIE = "deckhand_sign_in"
"""Proves that the sign-in form came from our own page."""


_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def new_token() -> str:
    """Draw a token that nobody can guess."""
    return secrets.token_urlsafe(32)


def token_in(cookies: Mapping[str, str], name: str) -> str:
    """Return the token in a cookie, nothing where what stands there is none of ours."""
    said = cookies.get(name, "")
    return said if _TOKEN.fullmatch(said) else ""


def hash_of(token: str) -> str:
    """Return what we keep of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def csrf_of(token: str) -> str:
    """Return the word that our pages send along, which only they can know."""
    return hmac.new(token.encode(), b"csrf", hashlib.sha256).hexdigest()


def is_csrf(said: str, token: str) -> bool:
    """Say whether the word is the one that belongs to the token."""
    return hmac.compare_digest(said.encode(errors="replace"), csrf_of(token).encode())


def account_of(person_id: int) -> str:
    """Return the account of a person who signs in: one for all their browsers."""
    return f"p{person_id}"
