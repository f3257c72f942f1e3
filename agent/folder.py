"""A thread's folder: the names that a model uses for files, and the real places behind them (mechanism K6)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

VIRTUAL = PurePosixPath("/mnt/user-data")
UPLOADS = "uploads"
OUTPUTS = "outputs"


class OutsideFolder(ValueError):
    """A path leads somewhere else."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ThreadFolder:
    """The files of one thread."""

    root: Path

    @classmethod
    def of(cls, home: Path, thread_id: int) -> ThreadFolder:
        return cls(root=home / "files" / str(thread_id))

    @property
    def uploads(self) -> Path:
        return self.root / UPLOADS

    @property
    def outputs(self) -> Path:
        return self.root / OUTPUTS

    def virtual(self, part: str, name: str) -> str:
        """Return the name that a model knows a file by."""
        return str(VIRTUAL / part / name)

    def output(self, path: str) -> Path:
        """Return the real place of a virtual path under outputs.

        Raises `OutsideFolder` for a path that leads elsewhere, by its words or through a link.
        """
        inside = _parts_below(VIRTUAL / OUTPUTS, path)
        real = self.outputs.joinpath(*inside)
        _refuse_links(self.root, real)
        return real


def _parts_below(top: PurePosixPath, path: str) -> tuple[str, ...]:
    pure = PurePosixPath(path)
    if "\0" in path or "\\" in path or ".." in pure.parts:
        raise OutsideFolder("a path may not hold .., a backslash or a null character")
    try:
        parts = pure.relative_to(top).parts
    except ValueError:
        raise OutsideFolder(f"only files under {top} can be used here") from None
    if not parts:
        raise OutsideFolder(f"name a file under {top}")
    return parts


def _refuse_links(root: Path, real: Path) -> None:
    """Refuse a link anywhere between the thread's folder and the file, so that nothing outside is reached."""
    place = root
    for part in real.relative_to(root).parts:
        place = place / part
        if place.is_symlink():
            raise OutsideFolder("the path leads through a link")
    if os.path.commonpath([root.resolve(), real.resolve()]) != str(root.resolve()):
        raise OutsideFolder("the path leads outside")
