"""Exchange: files up and down."""

from __future__ import annotations

from urllib.parse import quote

import structlog
from aiohttp import web

from adapters.web import answers, facts, texts
from adapters.web.door import Visitor
from adapters.web.files import FileStore, TooLarge
from adapters.web.ports import Files
from adapters.web.send import file_body

log = structlog.get_logger("web")

_CHUNK = 262_144


class Exchange:
    """Takes uploads and gives files out, to their owner only."""

    def __init__(self, files: Files, store: FileStore, upload_bytes: int) -> None:
        self._files = files
        self._store = store
        self._limit = upload_bytes

    async def upload(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Keep a file; its name stands in the address, its bytes are the body."""
        name = request.query.get("name", "")
        wanted = self._store.new(visitor.account, name, request.headers.get("Content-Type", ""))
        if (request.content_length or 0) > self._limit:
            return answers.refusal(texts.too_large(wanted.name, self._limit), status=413)
        try:
            stored = await self._store.receive(request.content.iter_chunked(_CHUNK), wanted=wanted, limit=self._limit)
        except TooLarge as error:
            return answers.refusal(str(error), status=413)
        except OSError as error:
            log.error("upload_not_stored", because=error.strerror or str(error))
            return answers.refusal(texts.not_stored(wanted.name), status=507)
        if request.content_length is not None and stored.size != request.content_length:
            return answers.refusal(texts.upload_lost(wanted.name))
        return answers.values(file_body(stored))

    async def download(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Give a file out: pictures that are safe are shown, everything else is saved."""
        file_id = request.match_info["file"]
        file = await self._files.file(file_id) if facts.FILE_ID.fullmatch(file_id) else None
        if file is None or file.account != visitor.account or not self._store.path(file.id).is_file():
            raise web.HTTPNotFound(text=texts.NO_SUCH_FILE)
        shown = file.media_type in facts.SAFE_IMAGES and "save" not in request.query
        disposition = "inline" if shown else "attachment"
        return web.FileResponse(
            self._store.path(file.id),
            headers={
                "Content-Type": file.media_type if shown else _saved_as(file.media_type),
                # https://datatracker.ietf.org/doc/html/rfc6266#section-4.3
                "Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(file.name, safe='')}",
                "Content-Security-Policy": "default-src 'none'; sandbox",
                "Cache-Control": "private, max-age=86400",
            },
        )


def _saved_as(media_type: str) -> str:
    """Return the type to say for a file that is saved: never one that a browser would run."""
    return (
        media_type
        if media_type.startswith(("text/plain", "application/pdf", "audio/", "video/"))
        else facts.UNKNOWN_TYPE
    )
