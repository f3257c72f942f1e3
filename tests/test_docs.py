"""Docs: what is generated is current, what is named exists, what is told to be typed works."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bot.console import found as subcommands
from bot.console._tables import files, renewed, table
from bot.settings_reader import read_env_file

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_MAKE = re.compile(r"\bmake ([a-z]+)`|^make ([a-z]+)$", re.MULTILINE)
_DECKHAND = re.compile(r"deckhand(?: --folder PATH)? ([a-z]+)\b(?=[` ]|$)", re.MULTILINE)
_PLAIN_WORDS = {"bot"}
"""What may follow the name in a sentence."""


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(("path", "text"), files(ROOT).items(), ids=lambda value: getattr(value, "name", ""))
def test_generated_tables_are_current(path: Path, text: str) -> None:
    assert path.read_text() == text, "run `make docs`"


def test_a_page_keeps_everything_but_its_tables() -> None:
    page = "before\n<!-- table: x -->\nold\n<!-- end -->\nafter\n"
    assert renewed(page, {"x": "new"}) == "before\n<!-- table: x -->\nnew\n<!-- end -->\nafter\n"
    with pytest.raises(KeyError):
        renewed(page, {"y": "new"})


def test_a_cell_cannot_break_its_table() -> None:
    assert table(("a",), [("x|y\nz",)]).splitlines()[-1] == "| x\\|y z |"


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text()):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / path) if path else page
        assert target.exists(), link
        assert not anchor or anchor in set(anchors(target)), link


def anchors(page: Path) -> Iterator[str]:
    """Return the anchors of a page's titles, as they are made where it is shown."""
    for title in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_commands_that_are_named_exist(page: Path) -> None:
    text = page.read_text()
    named = {word for pair in _MAKE.findall(text) for word in pair if word}
    assert named <= TARGETS
    spoken = set(_DECKHAND.findall(text)) - _PLAIN_WORDS
    assert spoken <= set(subcommands())


def test_the_readme_tells_the_two_commands() -> None:
    blocks = re.findall(r"^```\n(.*?)\n```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks[:2] == ["make run", "make test"]


def test_ci_runs_what_the_readme_says() -> None:
    assert "exec make test" in (ROOT / ".ci" / "run").read_text()


def test_the_example_can_be_read_as_it_is() -> None:
    assert set(read_env_file(ROOT / ".env.example").values()) == {""}


def test_pictures_say_what_they_show() -> None:
    for picture in (ROOT / "docs").glob("*.svg"):
        root = ElementTree.fromstring(picture.read_text())
        assert root.findtext("{http://www.w3.org/2000/svg}desc"), picture.name


def test_locks_name_versions_and_hashes_and_nothing_else() -> None:
    line = re.compile(r"[a-z0-9._-]+==\S+( ; .*)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    for lock in sorted((ROOT / "requirements").glob("*.lock")):
        wrong = [text for text in lock.read_text().splitlines() if not line.fullmatch(text)]
        assert wrong == [], lock.name


def test_nothing_names_a_machine() -> None:
    # Written in pieces, so that this file does not find itself.
    path = re.compile("|".join(("/work" + "/main", "/work" + "/shared", "/ho" + r"me/\w+/")))
    suffixes = {".py", ".md", ".toml", ".lock", ".html", ".js", ".css", ".yml", ".json", ""}
    for file in tracked():
        if file.suffix in suffixes and file.stat().st_size < 1_000_000:
            assert not path.search(file.read_text(errors="replace")), page_id(file)


def tracked() -> Iterator[Path]:
    """Return the files of the project, without what tools left behind."""
    for folder in ("adapters", "agent", "bot", "commands", "docs", "requirements", "scheduler", "storage", "tests"):
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file
    yield from (file for file in ROOT.iterdir() if file.is_file() and file.name != ".env")
