"""Assets: the files of a simulator's page, read once, under a strict policy."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web

_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Assets:
    """The files of one folder, by name."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            path.name: (path.read_bytes(), _TYPES[path.suffix])
            for path in sorted(folder.iterdir())
            if path.suffix in _TYPES
        }

    def answer(self, name: str) -> web.Response | None:
        """Return the file as an answer, None when there is no such file."""
        found = self._files.get(name)
        if found is None:
            return None
        body, media_type = found
        return web.Response(body=body, content_type=media_type, charset="utf-8", headers=PAGE_HEADERS)
