"""Virtual paths lead into the thread's own folder and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.folder import OutsideFolder, ThreadFolder


def test_a_virtual_path_has_its_place(tmp_path: Path) -> None:
    folder = ThreadFolder.of(tmp_path, 7)
    assert folder.output("/mnt/user-data/outputs/a/b.md") == tmp_path / "files" / "7" / "outputs" / "a" / "b.md"
    assert folder.virtual("uploads", "a.pdf") == "/mnt/user-data/uploads/a.pdf"


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "outputs/a.md",
        "/mnt/user-data/uploads/a.md",
        "/mnt/user-data/outputs",
        "/mnt/user-data/outputs/../uploads/a.md",
        "/mnt/user-data/outputs/../../../etc/passwd",
        "/mnt/user-data/outputs/a\\..\\b",
        "/mnt/user-data/outputs/a\0b",
        "",
    ],
)
def test_a_path_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutsideFolder):
        ThreadFolder.of(tmp_path, 7).output(path)


def test_a_link_on_the_way_is_refused(tmp_path: Path) -> None:
    folder = ThreadFolder.of(tmp_path, 7)
    folder.outputs.mkdir(parents=True)
    secret = tmp_path / "secret"
    secret.mkdir()
    (folder.outputs / "way").symlink_to(secret)
    with pytest.raises(OutsideFolder):
        folder.output("/mnt/user-data/outputs/way/key.txt")
