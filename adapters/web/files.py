"""Files of the page: bytes on disk under an id, names in the database."""

from __future__ import annotations

import asyncio
import mimetypes
import secrets
import shutil
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import structlog

from adapters.web import facts, texts
from adapters.web.ports import Files
from bot.clock import Clock
from bot.errors import DeckhandError, Refused
from bot.events import Attachment
from bot.replies import OutFile
from bot.transcript import StoredFile

log = structlog.get_logger("web")


class TooLarge(DeckhandError):
    """The upload is larger than we take."""


class FileStore:
    """Takes uploads in, keeps copies of what the bot hands over, gives both out again."""

    def __init__(self, root: Path, files: Files, clock: Clock) -> None:
        self._root = root
        self._files = files
        self._clock = clock

    def path(self, file_id: str) -> Path:
        """Return where the bytes of a file lie."""
        if not facts.FILE_ID.fullmatch(file_id):
            raise ValueError(f"{file_id!r} is no file id")
        return self._root / file_id[:2] / file_id

    async def receive(self, chunks: AsyncIterator[bytes], *, wanted: StoredFile, limit: int) -> StoredFile:
        """Store an upload of which all but the size is known. Raises `TooLarge`."""
        target = self.path(wanted.id)
        part = target.with_suffix(".part")
        size = 0
        try:
            await asyncio.to_thread(part.parent.mkdir, parents=True, exist_ok=True)
            with part.open("wb") as out:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > limit:
                        raise TooLarge(texts.too_large(wanted.name, limit))
                    await asyncio.to_thread(out.write, chunk)
            await asyncio.to_thread(part.replace, target)
        finally:
            part.unlink(missing_ok=True)
        return await self._keep(wanted, size)

    async def adopt(self, file: OutFile, *, file_id: str, account: str) -> StoredFile:
        """Keep a copy of a file that the bot hands over. Raises `Refused` when it cannot be read."""
        target = self.path(file_id)
        try:
            size = await asyncio.to_thread(_copy, file.path, target)
        except OSError as error:
            raise Refused(facts.NAME, f"cannot take the file {file.name}: {error.strerror}") from error
        return await self._keep(self.new(account, file.name, file.media_type, file_id=file_id), size)

    async def hand_out(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        """Copy an upload's bytes to a new file. Raises `Refused` when it is gone or too large."""
        file = await self._files.file(attachment.handle)
        if file is None:
            raise Refused(facts.NAME, f"has the file {attachment.name} no more")
        if file.size > limit:
            raise Refused(facts.NAME, f"has the file {attachment.name} with {file.size} bytes; {limit} are allowed")
        try:
            await asyncio.to_thread(_copy, self.path(file.id), into)
        except OSError as error:
            raise Refused(facts.NAME, f"cannot read the file {attachment.name}: {error.strerror}") from error

    async def tidy(self) -> None:
        """Remove uploads that were never sent."""
        before = self._clock.now() - timedelta(hours=facts.UPLOAD_HOURS)
        for file_id in await self._files.forget_files(before):
            try:
                await asyncio.to_thread(self.path(file_id).unlink, missing_ok=True)
            except OSError as error:
                log.warning("page_file_not_removed", file=file_id, because=str(error))

    def new(self, account: str, name: str, media_type: str, *, file_id: str = "") -> StoredFile:
        """Return what is known of a file before its bytes are there."""
        name = clean_name(name)
        return StoredFile(
            id=file_id or secrets.token_hex(16),
            account=account,
            name=name,
            media_type=clean_type(media_type, name),
            size=0,
            at=self._clock.now(),
        )

    async def _keep(self, wanted: StoredFile, size: int) -> StoredFile:
        kept = StoredFile(
            id=wanted.id,
            account=wanted.account,
            name=wanted.name,
            media_type=wanted.media_type,
            size=size,
            at=wanted.at,
        )
        await self._files.keep_file(kept)
        return kept


def clean_name(name: str) -> str:
    """Return a file name without directories and without characters that nobody can see."""
    name = name.replace("\\", "/").rsplit("/", 1)[-1]
    name = "".join(character for character in name if character.isprintable()).strip(" .")
    if len(name) > 150:
        name = name[:120] + name[-30:]
    return name or "file"


def clean_type(media_type: str, name: str) -> str:
    """Return the media type that was said, or the one that the name suggests."""
    said = media_type.split(";")[0].strip().lower()
    if facts.MEDIA_TYPE.fullmatch(said) and said != facts.UNKNOWN_TYPE:
        return said
    return mimetypes.guess_type(name)[0] or facts.UNKNOWN_TYPE


def _copy(source: Path, target: Path) -> int:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        shutil.copyfile(source, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return target.stat().st_size
