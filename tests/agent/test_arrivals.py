"""Files that people send, from the platform to the model's knowledge."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agent import texts
from agent.model import UserMessage
from bot.adapter import Capabilities
from bot.errors import RateLimited, Refused, Unreachable
from bot.events import Attachment
from bot.work import RunOutcome
from tests.agent.conftest import MakeKit
from tests.agent.kit import Kit, Lender, answer, event, script


def file(name: str, handle: str, size: int | None = None) -> Attachment:
    return Attachment(name=name, handle=handle, size=size)


def uploads(bench: Kit) -> dict[str, str]:
    folder = bench.home / "files" / "7" / "uploads"
    return {path.name: path.read_text() for path in folder.iterdir()}


async def test_files_are_fetched_and_named_to_the_model(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")), lender=Lender(a=b"one", b=b"two"))
    await bench.run(event("look", files=(file("../../etc/passwd", "a"), file("passwd", "b"))))
    assert uploads(bench) == {"passwd": "one", "passwd_1": "two"}
    said = bench.model.requests[0].messages[-1]
    assert said == UserMessage(
        text="look\n(file: /mnt/user-data/uploads/passwd)\n(file: /mnt/user-data/uploads/passwd_1)"
    )
    assert bench.shelf.of_kind("user")[0]["files"] == [
        "/mnt/user-data/uploads/passwd",
        "/mnt/user-data/uploads/passwd_1",
    ]
    assert bench.shelf.decided("D28") == ["stored as passwd", "stored as passwd_1"]


async def test_a_file_that_cannot_be_had_is_noted_beside_the_words(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")), lender=Lender(a=Refused("paper", "has no such file"), b=b"two"))
    finish = await bench.run(event("look", files=(file("a.txt", "a"), file("b.txt", "b"))))
    assert finish.outcome is RunOutcome.SUCCESS
    assert uploads(bench) == {"b.txt": "two"}
    assert bench.shelf.of_kind("user")[0]["notes"] == [texts.not_fetched("a.txt", texts.FILE_SILENT)]
    assert "a.txt could not be fetched" in bench.model.requests[0].messages[-1].text


async def test_a_platform_that_is_only_busy_is_asked_again(kit: MakeKit) -> None:
    lender = Lender(a=b"one")
    lender.files["a"] = [RateLimited("paper", retry_after=3), Unreachable("paper", "is away"), b"one"]
    bench = kit(script(answer("ok")), lender=lender)
    await bench.run(event("look", files=(file("a.txt", "a"),)))
    assert uploads(bench) == {"a.txt": "one"}
    assert lender.asked == ["a", "a", "a"]


async def test_a_platform_that_stays_away_is_not_asked_for_ever(kit: MakeKit) -> None:
    lender = Lender(a=Unreachable("paper", "is away"))
    bench = kit(script(answer("ok")), lender=lender)
    await bench.run(event("look", files=(file("a.txt", "a"),)))
    assert lender.asked == ["a", "a", "a"]
    assert uploads(bench) == {}


async def test_a_file_that_is_too_large_is_not_asked_for(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")), capabilities=Capabilities(reserves=False, max_fetch_bytes=10))
    await bench.run(event("look", files=(file("a.txt", "a", size=1_234),)))
    assert bench.lender.asked == []
    assert bench.shelf.of_kind("user")[0]["notes"] == [texts.not_fetched("a.txt", texts.file_too_large(1_234, 10))]


async def test_a_folder_that_is_not_safe_stops_the_file_not_the_run(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")), lender=Lender(a=b"one"))
    elsewhere = bench.home / "elsewhere"
    elsewhere.mkdir()
    (bench.home / "files" / "7").mkdir(parents=True)
    (bench.home / "files" / "7" / "uploads").symlink_to(elsewhere)
    finish = await bench.run(event("look", files=(file("a.txt", "a"),)))
    assert finish.outcome is RunOutcome.SUCCESS
    assert list(elsewhere.iterdir()) == []
    assert bench.shelf.of_kind("user")[0]["notes"] == [texts.not_fetched("a.txt", texts.FILE_UNWRITTEN)]


async def test_a_stop_while_files_come_ends_the_fetching(kit: MakeKit) -> None:
    class Slow(Lender):
        async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
            bench.live.cancel()
            await asyncio.Event().wait()

    bench = kit(script(), lender=Slow())
    finish = await bench.run(event("look", files=(file("a.txt", "a"), file("b.txt", "b"))))
    assert finish.outcome is RunOutcome.CANCELLED
    assert bench.model.requests == []
    assert len(bench.shelf.of_kind("user")[0]["notes"]) == 2


async def test_files_of_a_run_that_never_began_are_noted_only(kit: MakeKit) -> None:
    bench = kit(script(), lender=Lender(a=b"one"))
    await bench.run(event("look", files=(file("a.txt", "a"),)), cancelled=True)
    assert bench.lender.asked == []
    assert bench.shelf.of_kind("user")[0]["notes"] == [texts.not_fetched("a.txt", texts.FILE_NOT_BEGUN)]
