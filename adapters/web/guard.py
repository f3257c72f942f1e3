"""Guard: which addresses we answer to, and which pages may post to us. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit


class Guard:
    """Refuses requests through names that are not ours (DNS rebinding), and from pages that are not ours."""

    def __init__(self, *, host: str, public_url: str) -> None:
        public = urlsplit(public_url)
        self._public = public.netloc.lower()
        self._https = public.scheme == "https"
        self._names = {"localhost", host.lower(), (public.hostname or "").lower()} - {""}

    def knows(self, host: str) -> bool:
        """Say whether a `Host` header names us. An IP address does: no foreign name can be bound to it."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or _is_address(name)

    def is_own_page(self, headers: Mapping[str, str]) -> bool:
        """Say whether a request that changes something was sent by a page of ours."""
        origin = headers.get("Origin")
        if origin is None:
            return headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
        try:
            sent_from = urlsplit(origin)
        except ValueError:
            return False
        if sent_from.scheme not in ("http", "https"):
            return False
        return sent_from.netloc.lower() in {headers.get("Host", "").lower(), self._public} - {""}

    def is_https(self, *, secure: bool, host: str) -> bool:
        """Say whether the browser came by https, directly or through whatever stands before us."""
        return secure or (self._https and host.lower() == self._public)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
