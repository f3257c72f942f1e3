"""Hand files over together with the answer."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

from agent.folder import OutsideFolder
from agent.tool import CannotDo, ToolContext, ToolResult, TryAgain, tool
from bot.wording import number

MOST = 20


async def present_files(context: ToolContext, paths: list[str]) -> ToolResult:
    """Hand files to the people in this conversation: they are attached to your answer.

    Only files under /mnt/user-data/outputs can be handed over. Do it once they are complete.

        paths: The full paths, such as /mnt/user-data/outputs/report.md.
    """
    if not paths:
        raise TryAgain("name at least one file")
    if len(paths) > MOST:
        raise TryAgain(f"at most {MOST} files can be handed over in one call")
    wanted = tuple(dict.fromkeys(paths))
    await asyncio.to_thread(_check_all, context, wanted)
    return ToolResult(text="These files will be attached: " + ", ".join(wanted), files=wanted)


def _check_all(context: ToolContext, paths: tuple[str, ...]) -> None:
    for path in paths:
        try:
            real = context.folder.output(path)
        except OutsideFolder as error:
            raise TryAgain(f"{path}: {error}") from error
        _check(path, real, context.max_file_bytes)


def _check(path: str, real: Path, most: int) -> None:
    try:
        found = real.lstat()
    except OSError:
        raise TryAgain(f"there is no file {path}") from None
    if not stat.S_ISREG(found.st_mode):
        raise TryAgain(f"{path} is not a file")
    if found.st_nlink > 1:
        raise CannotDo(f"{path} is linked from elsewhere and cannot be handed over")
    if found.st_size == 0:
        raise TryAgain(f"{path} is empty")
    if found.st_size > most:
        raise CannotDo(f"{path} has {number(found.st_size)} bytes; this room takes at most {number(most)}")


TOOL = tool(present_files, idempotent=True)
