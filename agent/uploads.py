"""Uploads: what files that people send are called here, and how they get there (seat D28).

A name comes from outside, and so does whatever already lies in the folder: names are checked, nothing is written over,
and no link is followed.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from bot.errors import DeckhandError
from bot.seat import Decider, Seat, decided

SEATS = (
    Seat(
        id="D28",
        title="Names of uploads",
        who=Decider.CODE,
        rule=(
            "The last part of the name, if every system can hold it; a name that is taken gets _1, _2, …; the place "
            "must be a plain file in the thread's own folder, reached through no link"
        ),
    ),
)

LONGEST_NAME = 255
"""Bytes; what file systems take."""
MOST_OF_A_NAME = 1_000

_STAGING = re.compile(r"\.upload-.*\.part")
_NOT_PORTABLE = re.compile(r'[<>:"|?*\x00-\x1f\x7f]')
# https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}$")


class UnsafeName(ValueError):
    """A file cannot be called that."""


class UnsafePlace(DeckhandError):
    """Something in the folder is not what it should be; nothing was written."""


def safe_name(given: str) -> str:
    """Return the last part of a name from outside; raises `UnsafeName` where not every system could hold it."""
    name = given.rsplit("/", 1)[-1]
    if name in ("", ".", ".."):
        raise UnsafeName("it names no file")
    if "\\" in name or _NOT_PORTABLE.search(name):
        raise UnsafeName("it holds characters that a name cannot have everywhere")
    if len(name.encode(errors="surrogatepass")) > LONGEST_NAME:
        raise UnsafeName(f"it is longer than {LONGEST_NAME} bytes")
    if _STAGING.fullmatch(name):
        raise UnsafeName("it is a name that we use ourselves")
    if _RESERVED.fullmatch(name) or name[-1] in ". ":
        raise UnsafeName("it means something else on some systems")
    if not name.isprintable():
        raise UnsafeName("it holds characters that cannot be shown")
    return name


def name_for(given: str) -> str:
    """Return a safe name for a file that must not be lost for its name."""
    try:
        return safe_name(given)
    except UnsafeName as error:
        suffix = _SUFFIX.search(given)
        name = "upload" + (suffix[0].lower() if suffix else "")
        decided("D28", outcome=f"stored as {name}", because=str(error))
        return name


def staging(folder: Path, key: str) -> Path:
    """Return where a file grows before it is whole; what an earlier try left there is removed."""
    place = folder / f".upload-{key}.part"
    discard(place)
    return place


def discard(staged: Path) -> None:
    """Remove what is there of a file that is not whole."""
    staged.unlink(missing_ok=True)


def open_folder(root: Path, folder: Path) -> None:
    """Make a thread's folder for uploads, or raise `UnsafePlace` where a link stands in its place."""
    folder.mkdir(parents=True, exist_ok=True)
    for place in (root, folder):
        if not stat.S_ISDIR(place.lstat().st_mode):
            raise UnsafePlace(f"{place.name} is not a plain folder")


def settle(staged: Path, folder: Path, name: str) -> str:
    """Move a whole file to its name, or to the next free one, and return that; raises `UnsafePlace`."""
    found = staged.lstat()
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        raise UnsafePlace(f"{name} did not arrive as a plain file")
    chosen = _reserve(folder, name)
    staged.replace(folder / chosen)
    decided("D28", outcome=f"stored as {chosen}", because="the name is free" if chosen == name else f"{name} is taken")
    return chosen


def _reserve(folder: Path, name: str) -> str:
    """Create an empty file under the first free name, so that nobody else gets it."""
    for number in range(MOST_OF_A_NAME):
        candidate = _numbered(name, number)
        place = folder / candidate
        try:
            # O_EXCL refuses whatever is there already, a link included, instead of opening it.
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            _refuse_trap(place, candidate)
        else:
            return candidate
    raise UnsafePlace(f"there are too many files called {name}")


def _refuse_trap(place: Path, name: str) -> None:
    try:
        found = place.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        raise UnsafePlace(f"{name} is taken by something that is not a plain file")


def _numbered(name: str, number: int) -> str:
    """Return `report_2.pdf` for `report.pdf`, still short enough."""
    if number == 0:
        return name
    stem, suffix = Path(name).stem, Path(name).suffix
    mark = f"_{number}{suffix}"
    room = LONGEST_NAME - len(mark.encode(errors="surrogatepass"))
    return stem.encode(errors="surrogatepass")[:room].decode(errors="ignore") + mark
