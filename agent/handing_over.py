"""Handing over: the last words of a run with the files that were presented, as a reply."""

from __future__ import annotations

import mimetypes
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from agent import texts
from agent.folder import OutsideFolder, ThreadFolder
from bot.replies import OutFile, Reply


def reply_of(text: str, paths: Sequence[str], folder: ThreadFolder) -> Reply:
    """Return exactly these words with the files; only where there are no words, others stand in their place."""
    files, missing = [], []
    for path in paths:
        name = PurePosixPath(path).name
        real = _real(path, folder)
        if real is None:
            missing.append(name)
        else:
            files.append(OutFile(name=name, path=real, media_type=_media_type(name)))
    words = text if text.strip() else _instead([file.name for file in files], missing)
    if missing:
        words = "\n\n".join(filter(None, (words, texts.missing_files(missing))))
    return Reply(text=words, files=tuple(files))


def _instead(names: Sequence[str], missing: Sequence[str]) -> str:
    if names:
        return texts.presented(names)
    return "" if missing else texts.NO_ANSWER


def _real(path: str, folder: ThreadFolder) -> Path | None:
    """Return where a presented file lies, None where it was removed or replaced since."""
    try:
        real = folder.output(path)
        plain = stat.S_ISREG(real.lstat().st_mode)
    except (OutsideFolder, OSError):
        return None
    return real if plain else None


def _media_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
