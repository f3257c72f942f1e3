"""Arrivals: what people said in a claim's events, with the files that came along."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from agent import texts, uploads
from agent.folder import UPLOADS, ThreadFolder
from agent.items import UserItem, from_event
from agent.ports import Fetcher, Live
from agent.racing import Overtaken, before
from bot.clock import Clock
from bot.errors import DeliveryError, RateLimited, Unreachable
from bot.events import Attachment, Event

_log = structlog.get_logger(__name__)

TRIES = 3
LONGEST_WAIT = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Hold:
    """Where files are fetched from and to."""

    fetcher: Fetcher
    folder: ThreadFolder
    limit: int
    """Bytes of one file."""
    key: str
    """Nobody else fetches under it."""
    clock: Clock


@dataclass(slots=True)
class _Fetched:
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


async def arrive(events: Sequence[Event], hold: Hold, live: Live) -> tuple[UserItem, ...]:
    """Return what was said, and fetch its files; one that cannot be had is noted beside the words."""
    if not any(event.files for event in events):
        return tuple(map(from_event, events))
    fetched = [_Fetched() for _ in events]
    try:
        await before(live.wait_cancelled(), _fetch_all(events, fetched, hold))
    except Overtaken:
        _note_rest(events, fetched)
    return tuple(
        from_event(event, files=tuple(one.files), notes=tuple(one.notes))
        for event, one in zip(events, fetched, strict=True)
    )


def unfetched(events: Iterable[Event]) -> tuple[UserItem, ...]:
    """Return what was said in a run that never began; its files are noted only."""
    return tuple(
        from_event(event, notes=tuple(texts.not_fetched(one.name, texts.FILE_NOT_BEGUN) for one in event.files))
        for event in events
    )


def _note_rest(events: Sequence[Event], fetched: Sequence[_Fetched]) -> None:
    for event, one in zip(events, fetched, strict=True):
        done = len(one.files) + len(one.notes)
        one.notes.extend(texts.not_fetched(file.name, texts.FILE_STOPPED) for file in event.files[done:])


async def _fetch_all(events: Sequence[Event], fetched: Sequence[_Fetched], hold: Hold) -> None:
    number = 0
    for event, one in zip(events, fetched, strict=True):
        for attachment in event.files:
            number += 1
            because = _refusal(attachment, hold)
            if not because:
                because = await _fetch(attachment, hold, one, f"{hold.key}-{number}")
            if because:
                one.notes.append(texts.not_fetched(attachment.name, because))


def _refusal(attachment: Attachment, hold: Hold) -> str:
    if attachment.size is not None and attachment.size > hold.limit:
        return texts.file_too_large(attachment.size, hold.limit)
    return ""


async def _fetch(attachment: Attachment, hold: Hold, fetched: _Fetched, key: str) -> str:
    """Fetch one file, and return why it could not be had, or nothing."""
    try:
        staged = await asyncio.to_thread(_prepare, hold.folder, key)
        try:
            await _insist(attachment, hold, staged)
            name = uploads.name_for(attachment.name)
            name = await asyncio.to_thread(uploads.settle, staged, hold.folder.uploads, name)
        finally:
            uploads.discard(staged)
    except (DeliveryError, uploads.UnsafePlace, OSError) as error:
        _log.warning("file_not_fetched", name=attachment.name, because=str(error))
        return texts.FILE_SILENT if isinstance(error, DeliveryError) else texts.FILE_UNWRITTEN
    fetched.files.append(hold.folder.virtual(UPLOADS, name))
    return ""


def _prepare(folder: ThreadFolder, key: str) -> Path:
    uploads.open_folder(folder.root, folder.uploads)
    return uploads.staging(folder.uploads, key)


async def _insist(attachment: Attachment, hold: Hold, staged: Path) -> None:
    """Ask for a file, and again where the platform was only busy or out of reach."""
    for tries_left in range(TRIES - 1, -1, -1):
        try:
            await hold.fetcher.fetch(attachment, staged, limit=hold.limit)
            return
        except (RateLimited, Unreachable) as error:
            wait = error.retry_after if isinstance(error, RateLimited) else 1.0
            if not tries_left or wait > LONGEST_WAIT:
                raise
            uploads.discard(staged)
            await hold.clock.sleep(wait)
