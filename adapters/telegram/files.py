"""Files: bring what came with a message to our disk."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

from telegram.error import TelegramError

from adapters.telegram.api import Api
from adapters.telegram.errors import translate
from adapters.telegram.facts import MAX_FETCH_BYTES, NAME
from bot.errors import DeliveryError, Refused
from bot.events import Attachment


async def fetch(api: Api, attachment: Attachment, into: Path, *, limit: int) -> None:
    """Write an attachment to a new file. Raises `Refused` when it is too large or gone."""
    most = min(limit, MAX_FETCH_BYTES)
    _check(attachment, attachment.size, most)
    try:
        answer = await api.call("getFile", file_id=attachment.handle)
        _check(attachment, answer.get("file_size"), most)
        file_path = answer.get("file_path")
        if not file_path:
            raise Refused(NAME, f"does not hand over {attachment.name}")
        await _write(api, str(file_path), attachment, into, most)
    except TelegramError as error:
        raise _translated(attachment, error) from error


async def _write(api: Api, file_path: str, attachment: Attachment, into: Path, most: int) -> None:
    """Write the bytes as they come; a file that did not come whole is taken away again."""
    written = 0
    out = await asyncio.to_thread(into.open, "xb")
    try:
        async with aclosing(api.download(file_path)) as chunks:
            async for chunk in chunks:
                written += len(chunk)
                _check(attachment, written, most)
                await asyncio.to_thread(out.write, chunk)
    except BaseException:
        await asyncio.to_thread(into.unlink, missing_ok=True)
        raise
    finally:
        await asyncio.to_thread(out.close)


def _check(attachment: Attachment, size: int | None, most: int) -> None:
    if size is not None and size > most:
        raise Refused(NAME, f"let us fetch at most {most:,} bytes, and {attachment.name} has more")


def _translated(attachment: Attachment, error: TelegramError) -> DeliveryError:
    translated = translate(error, repeatable=True)
    if isinstance(translated, Refused):
        return Refused(NAME, f"does not hand over {attachment.name}: {error}")
    return translated
