"""Bodies: what came with a request, in whichever of the usual forms it came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import orjson
from aiohttp import BodyPartReader, web


class TooLarge(Exception):
    """The body is larger than the simulator takes."""


class Unreadable(Exception):
    """The body is not what its content type says."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Upload:
    """A file that came along."""

    name: str
    data: bytes
    media_type: str = "application/octet-stream"


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    """Fields and files."""

    fields: dict[str, Any] = field(default_factory=dict)
    uploads: dict[str, Upload] = field(default_factory=dict)


async def read(request: web.BaseRequest, *, max_bytes: int) -> Body:
    """Return the fields of the query and of the body: form, JSON or multipart."""
    fields: dict[str, Any] = dict(request.query) if request.query_string else {}
    if not request.can_read_body:
        return Body(fields=fields)
    kind = request.content_type
    if kind == "multipart/form-data":
        return await _multipart(request, fields, max_bytes)
    raw = await _limited(request, max_bytes)
    if kind == "application/json":
        fields.update(_json_object(raw))
    elif kind == "application/x-www-form-urlencoded":
        try:
            fields.update(parse_qsl(raw.decode(), keep_blank_values=True))
        except UnicodeDecodeError as error:
            raise Unreadable("not UTF-8") from error
    return Body(fields=fields)


def _json_object(raw: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(raw or b"{}")
    except orjson.JSONDecodeError as error:
        raise Unreadable("not JSON") from error
    if not isinstance(value, dict):
        raise Unreadable("not a JSON object")
    return value


async def _limited(request: web.BaseRequest, max_bytes: int) -> bytes:
    pieces: list[bytes] = []
    length = 0
    async for piece in request.content.iter_any():
        length += len(piece)
        if length > max_bytes:
            raise TooLarge
        pieces.append(piece)
    return b"".join(pieces)


async def _multipart(request: web.BaseRequest, fields: dict[str, Any], max_bytes: int) -> Body:
    uploads: dict[str, Upload] = {}
    left = max_bytes
    try:
        reader = await request.multipart()
        while (part := await reader.next()) is not None:
            if not isinstance(part, BodyPartReader):
                raise Unreadable("multipart within multipart")
            data = await _part(part, left)
            left -= len(data)
            name = part.name or ""
            if part.filename is None:
                fields[name] = data.decode()
            else:
                media_type = part.headers.get("Content-Type", "application/octet-stream")
                uploads[name] = Upload(name=part.filename, data=data, media_type=media_type)
    except (ValueError, AssertionError) as error:
        raise Unreadable("broken multipart") from error
    return Body(fields=fields, uploads=uploads)


async def _part(part: BodyPartReader, left: int) -> bytes:
    data = bytearray()
    while piece := await part.read_chunk(65_536):
        data += piece
        if len(data) > left:
            raise TooLarge
    return bytes(data)
