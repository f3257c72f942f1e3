"""Doctor: whether the page can be reached, and safely."""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import urlsplit

from adapters.web import facts
from bot.adapter import Check, Toolkit


def examine(toolkit: Toolkit) -> Sequence[Check]:
    """Check the page's own settings and its folder."""
    return (_public_url(str(toolkit.options.get("public_url", ""))), _folder(toolkit))


def _public_url(url: str) -> Check:
    title = f"the page's public_url is {url}" if url else "the page is used on this machine only (no public_url)"
    if not url:
        return Check(ok=True, title=title)
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        return Check(ok=False, title=title, fix="write it like https://bot.example.org, without a path")
    local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.scheme == "http" and not local:
        return Check(
            ok=False, title=title, fix="serve it by https; over http codes and sessions can be read on the way"
        )
    return Check(ok=True, title=title)


def _folder(toolkit: Toolkit) -> Check:
    folder = toolkit.home / facts.NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return Check(ok=False, title=f"{folder} can keep uploads", fix=f"make it writable: {error.strerror}")
    writable = os.access(folder, os.W_OK)
    return Check(ok=writable, title=f"{folder} can keep uploads", fix="" if writable else "make it writable for us")
