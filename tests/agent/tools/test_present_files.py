"""Files are handed over only from the thread's own outputs."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from agent import texts
from agent.handing_over import reply_of
from agent.tool import CannotDo, ToolContext, ToolResult, TryAgain
from agent.tools.present_files import TOOL
from tests.agent.hooks.turns import a_turn

TOP = "/mnt/user-data/outputs"


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    made = a_turn(tmp_path).plan.context
    made.folder.outputs.mkdir(parents=True)
    (made.folder.outputs / "a.md").write_text("# A")
    return made


async def present(context: ToolContext, *paths: str) -> ToolResult:
    return await TOOL.call(context, {"paths": list(paths)})


async def test_a_file_is_named_once(context: ToolContext) -> None:
    result = await present(context, f"{TOP}/a.md", f"{TOP}/a.md")
    assert result.files == (f"{TOP}/a.md",)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", f"{TOP}/../uploads/a.md", f"{TOP}/missing.md", TOP, f"{TOP}/folder", f"{TOP}/empty"]
)
async def test_what_is_no_file_there_is_refused(context: ToolContext, path: str) -> None:
    (context.folder.outputs / "folder").mkdir()
    (context.folder.outputs / "empty").touch()
    with pytest.raises(TryAgain):
        await present(context, f"{TOP}/a.md", path)


async def test_nothing_and_too_many_are_refused(context: ToolContext) -> None:
    with pytest.raises(TryAgain):
        await present(context)
    with pytest.raises(TryAgain):
        await present(context, *(f"{TOP}/a.md" for _ in range(21)))


async def test_a_link_is_refused(context: ToolContext, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("key")
    (context.folder.outputs / "link.md").symlink_to(secret)
    with pytest.raises(TryAgain, match="link"):
        await present(context, f"{TOP}/link.md")
    os.link(secret, context.folder.outputs / "hard.md")
    with pytest.raises(CannotDo, match="linked"):
        await present(context, f"{TOP}/hard.md")


async def test_a_file_that_the_room_cannot_take_is_refused(context: ToolContext) -> None:
    with pytest.raises(CannotDo, match="3 bytes"):
        await present(replace(context, max_file_bytes=2), f"{TOP}/a.md")


def test_the_answer_is_exactly_what_was_said(context: ToolContext) -> None:
    reply = reply_of("  Look.\n", (f"{TOP}/a.md",), context.folder)
    assert reply.text == "  Look.\n"
    assert [file.path for file in reply.files] == [context.folder.outputs / "a.md"]


def test_files_without_words_are_named(context: ToolContext) -> None:
    assert reply_of(" ", (f"{TOP}/a.md",), context.folder).text == "Here is a.md."
    assert reply_of("", (), context.folder).text == texts.NO_ANSWER


def test_a_file_that_was_removed_since_is_told(context: ToolContext) -> None:
    reply = reply_of("Look.", (f"{TOP}/gone.md",), context.folder)
    assert reply.files == ()
    assert reply.text == f"Look.\n\n{texts.missing_files(['gone.md'])}"
    assert reply_of("", (f"{TOP}/gone.md",), context.folder).text == texts.missing_files(["gone.md"])


def test_a_file_that_became_a_link_is_not_handed_over(context: ToolContext, tmp_path: Path) -> None:
    (context.folder.outputs / "a.md").unlink()
    (context.folder.outputs / "a.md").symlink_to(tmp_path / "secret")
    assert reply_of("Look.", (f"{TOP}/a.md",), context.folder).files == ()
