"""Guard: only this machine's own pages and programs may drive a simulator."""

from __future__ import annotations

from urllib.parse import urlsplit

from aiohttp import web

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def is_foreign(request: web.BaseRequest) -> bool:
    """Say whether a request comes from somebody else's page, or through a name that somebody else points here."""
    host = request.headers.get("Host", "")
    local = request.transport.get_extra_info("sockname") if request.transport is not None else None
    name = urlsplit(f"//{host}").hostname or ""
    if name not in _LOOPBACK and (local is None or name != local[0]):
        return True
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != host
