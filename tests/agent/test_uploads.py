"""Names and places of uploads (seat D28)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent.uploads import UnsafeName, UnsafePlace, name_for, open_folder, safe_name, settle, staging
from bot.seat import journal


def test_d28_only_the_last_part_of_a_name_counts() -> None:
    assert safe_name("../../etc/passwd") == "passwd"
    assert safe_name("Bericht März 2026 (neu).pdf") == "Bericht März 2026 (neu).pdf"


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "a/", "a\0b", "a\\b", "x" * 256, "ü" * 128, ".upload-1.part", ".upload-.part"),
        *("CON", "nul.txt", "com1", "lpt9.log", "a.", "a ", "a:b", 'a"b', "a?b", "a\nb", "a\u202eb", "a\ud800b"),
    ],
)
def test_d28_a_name_that_not_every_system_can_hold_is_refused(name: str) -> None:
    with pytest.raises(UnsafeName):
        safe_name(name)


def test_d28_a_file_is_not_lost_for_its_name() -> None:
    with journal() as decisions:
        assert name_for("a:b.PDF") == "upload.pdf"
        assert name_for("..") == "upload"
        assert name_for("fine.pdf") == "fine.pdf"
    assert [(one.seat, one.outcome) for one in decisions] == [
        ("D28", "stored as upload.pdf"),
        ("D28", "stored as upload"),
    ]


def arrived(folder: Path, text: str) -> Path:
    staged = staging(folder, "1")
    staged.write_text(text)
    return staged


def test_d28_a_name_that_is_taken_gets_the_next_number(tmp_path: Path) -> None:
    names = [settle(arrived(tmp_path, str(n)), tmp_path, "passwd") for n in range(3)]
    assert names == ["passwd", "passwd_1", "passwd_2"]
    assert [(tmp_path / name).read_text() for name in names] == ["0", "1", "2"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_d28_the_number_stands_before_the_suffix(tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_text("old")
    assert settle(arrived(tmp_path, "new"), tmp_path, "report.pdf") == "report_1.pdf"
    assert (tmp_path / "report.pdf").read_text() == "old"


def test_d28_a_numbered_name_is_not_too_long(tmp_path: Path) -> None:
    name = "ü" * 125 + ".pdf"
    (tmp_path / name).write_text("old")
    chosen = settle(arrived(tmp_path, "new"), tmp_path, name)
    assert chosen.endswith("_1.pdf")
    assert len(chosen.encode()) <= 255


def test_d28_a_link_in_the_place_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "uploads"
    folder.mkdir()
    target = tmp_path / "target"
    (folder / "passwd").symlink_to(target)
    staged = arrived(folder, "new")
    with pytest.raises(UnsafePlace):
        settle(staged, folder, "passwd")
    assert not target.exists()


def test_d28_a_file_with_a_second_name_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("theirs")
    folder = tmp_path / "uploads"
    folder.mkdir()
    os.link(outside, folder / "a.txt")
    staged = arrived(folder, "new")
    with pytest.raises(UnsafePlace):
        settle(staged, folder, "a.txt")
    assert outside.read_text() == "theirs"


def test_d28_what_arrived_as_a_link_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("key")
    staged = staging(tmp_path, "1")
    staged.symlink_to(secret)
    with pytest.raises(UnsafePlace):
        settle(staged, tmp_path, "a.txt")


def test_d28_a_link_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "7", tmp_path / "elsewhere"
    root.mkdir()
    elsewhere.mkdir()
    (root / "uploads").symlink_to(elsewhere)
    with pytest.raises(UnsafePlace):
        open_folder(root, root / "uploads")


def test_what_an_earlier_try_left_is_removed(tmp_path: Path) -> None:
    arrived(tmp_path, "half")
    assert not staging(tmp_path, "1").exists()
