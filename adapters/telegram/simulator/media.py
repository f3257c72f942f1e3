"""Media: the files of a call: uploaded with it, or sent before. https://core.telegram.org/bots/api#sending-files"""

from __future__ import annotations

from typing import Any

from adapters._shared.simulator.bodies import Upload
from adapters.telegram.simulator.files import Files
from adapters.telegram.simulator.limits import UPLOAD_BYTES
from adapters.telegram.simulator.message import Content, Json
from adapters.telegram.simulator.params import Params
from adapters.telegram.simulator.refusals import bad, too_large

_ATTACHED = "attach://"


def photo_or_document(files: Files, params: Params, kind: str, value: Any) -> Content:
    """Return the file of `sendPhoto` or `sendDocument`."""
    upload = params.upload(kind)
    if upload is not None:
        return _uploaded(files, kind, upload)
    if not value:
        raise bad(f"there is no {kind} in the request")
    return _named(files, params, kind, str(value))


def media_of(files: Files, params: Params, item: Json) -> Content:
    """Return the file of an InputMedia."""
    kind = str(item.get("type", ""))
    if kind not in ("photo", "document"):
        raise bad("can't parse InputMedia: the simulator takes the types photo and document")
    value = str(item.get("media") or "")
    if not value:
        raise bad("media not found")
    return _named(files, params, kind, value)


def _named(files: Files, params: Params, kind: str, value: str) -> Content:
    if value.startswith(_ATTACHED):
        upload = params.upload(value.removeprefix(_ATTACHED))
        if upload is None:
            raise bad("file must be non-empty")
        return _uploaded(files, kind, upload)
    if value.startswith(("http://", "https://")):
        # The hosted server would fetch it; nothing here leaves the machine.
        raise bad("failed to get HTTP URL content")
    return _known(files, kind, value)


def _uploaded(files: Files, kind: str, upload: Upload) -> Content:
    if not upload.data:
        raise bad("file must be non-empty")
    if len(upload.data) > UPLOAD_BYTES:
        raise too_large()
    if kind == "photo":
        return Content(photo=files.photo(upload))
    return Content(document=files.document(upload))


def _known(files: Files, kind: str, file_id: str) -> Content:
    file = files.by_id(file_id)
    photo = files.known_photo(file_id)
    if file is None:
        raise bad("wrong file identifier/HTTP URL specified")
    if (photo is not None) != (kind == "photo"):
        raise bad(f"can't use file of type {'Photo' if photo else 'Document'} as {kind.title()}")
    return Content(photo=photo) if photo is not None else Content(document=file)
