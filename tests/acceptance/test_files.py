"""Pictures and documents both ways, and answers that are long."""

from __future__ import annotations

import asyncio
import html
import json
import re

from adapters._shared.simulator.bodies import Upload
from adapters.telegram.simulator.chat import Chat
from bot.settings import Limits
from tests.acceptance.conftest import Build
from tests.support.house import House, scripted
from tests.support.pictures import png
from tests.support.room import Room


def chat_of(ann: Room) -> Chat:
    assert isinstance(ann.scene, Chat)
    return ann.scene


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


async def stored(house: House) -> list[str]:
    folder = house.folder(await house.thread_of("telegram"), "uploads")
    return sorted(path.name for path in folder.iterdir())


async def test_a_photo_with_a_question(house: House) -> None:
    ann = house.private()
    chat_of(ann).send_photo(ann.person, png(), "what is this?")
    await ann.sees("what is this?")
    await house.quiet()
    (name,) = await stored(house)
    assert name.startswith("photo")
    assert name in ann.last.text
    assert len(ann.messages) == 1


async def test_d28_documents_get_safe_names_and_the_agent_sees_them(house: House) -> None:
    ann = house.private()
    for name in ("../../etc/passwd", "passwd", "report 2026.pdf", "con", "a\\b.txt"):
        upload = Upload(name=name, data=b"some bytes", media_type="application/octet-stream")
        chat_of(ann).send_document(ann.person, upload, f"look at {name.rsplit('/', 1)[-1]}")
        await ann.sees(f"look at {name.rsplit('/', 1)[-1]}")
        await house.quiet()
    names = await stored(house)
    assert {"passwd", "passwd_1", "report 2026.pdf"} <= set(names)
    assert len(names) == 5
    assert not any("/" in name or "\\" in name or name.startswith(".") for name in names)
    items = " ".join(str(row[0]) for row in await house.rows("SELECT body FROM item"))
    assert all(name in items for name in names)


async def test_b60_an_album_is_one_turn_and_the_text_behind_it_another(house: House) -> None:
    ann = house.private()
    chat = chat_of(ann)
    group = chat.new_album()
    for caption in ("before", "", "after"):
        chat.send_photo(ann.person, png(), caption, group=group)
        await house.clock.sleep(0.3)
    ann.say("and this is text")
    await ann.sees("and this is text")
    await house.quiet()
    runs = await house.rows("SELECT run_id, count(*) FROM inbox GROUP BY run_id ORDER BY run_id")
    assert [count for _, count in runs] == [3, 1]
    assert len(ann.messages) == 2
    pictures, text = [
        [str(row[0]) for row in await house.rows("SELECT body FROM item WHERE run_id = :run ORDER BY seq", run=run)]
        for run, _ in runs
    ]
    said = " ".join(pictures)
    assert 0 <= said.find("before") < said.find("after")
    assert "this is text" not in said
    assert "this is text" in " ".join(text)
    names = await stored(house)
    assert len(names) == 3
    assert all(name in said for name in names)


async def test_a_file_that_cannot_be_fetched_is_no_reason_for_silence(house: House) -> None:
    ann = house.private()
    upload = Upload(name="huge.bin", data=b"x", media_type="application/octet-stream")
    chat_of(ann).send_document(ann.person, upload, "read this", size=30_000_000)
    await ann.sees("read this")
    house.simulator.faults.refuse("getFile", "wrong file_id or the file is temporarily unavailable")
    upload = Upload(name="gone.bin", data=b"x", media_type="application/octet-stream")
    chat_of(ann).send_document(ann.person, upload, "and this one")
    await ann.sees("and this one")
    await house.quiet()
    items = " ".join(str(row[0]) for row in await house.rows("SELECT body FROM item"))
    assert "huge.bin" in items
    assert "gone.bin" in items
    assert await house.rows("SELECT DISTINCT outcome FROM run") == [("success",)]


async def presents(house: House, ann: Room, words: str, files: dict[str, bytes]) -> None:
    """Let the agent hand over files that lie in its folder."""
    await ann.asks("hello", "answer to hello")
    folder = house.folder(await house.thread_of("telegram"), "outputs")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    paths = json.dumps({"paths": [f"/mnt/user-data/outputs/{name}" for name in files]})
    ann.say(f"#tool present_files {paths} #say {words}")


async def test_files_are_handed_over_with_the_answer(house: House) -> None:
    ann = house.private()
    await presents(house, ann, "there you are", {"report.md": b"# Report", "plot.png": png()})
    await ann.sees("there you are")
    await ann.until(lambda: sum(len(one.files) for one in ann.messages) == 2)
    await house.quiet()
    assert next(name for one in ann.messages for name in one.files) == "report.md"
    assert [call.uploads for call in house.simulator.calls.of("sendDocument", "editMessageMedia") if call.uploads]


async def test_b74_a_long_text_with_a_photo_loses_neither(house: House) -> None:
    ann = house.private()
    words = " ".join(f"w{number:04}" for number in range(260))
    assert len(words) > 1500
    await presents(house, ann, words, {"plot.png": png()})
    await ann.sees("w0259")
    await ann.until(lambda: any(one.files for one in ann.messages))
    await house.quiet()
    told = " ".join(ann.texts)
    assert words in told
    assert all(units(one.text) <= 1024 for one in ann.messages if one.files)
    assert len([one for one in ann.messages if one.files]) == 1


async def test_b74_twelve_photos_all_arrive(house: House) -> None:
    ann = house.private()
    await presents(house, ann, "twelve of them", {f"plot{number:02}.png": png(shade=number) for number in range(12)})
    await ann.sees("twelve of them")
    await ann.until(lambda: sum(len(one.files) for one in ann.messages) == 12)
    await house.quiet()
    assert await house.rows("SELECT DISTINCT status FROM outbox") == [("sent",)]


async def test_a_file_that_is_gone_when_it_is_sent(house: House) -> None:
    ann = house.private()
    await presents(house, ann, "see the file", {"report.md": b"# Report"})
    folder = house.folder(await house.thread_of("telegram"), "outputs")
    await ann.until(lambda: any(one.files for one in ann.messages))
    house.simulator.faults.drop("sendDocument", times=1)
    house.simulator.faults.drop("editMessageMedia", times=1)
    (folder / "late.md").write_bytes(b"late")
    ann.say('#tool present_files {"paths": ["/mnt/user-data/outputs/late.md"]} #say late one')
    await house.simulator.calls.wait(lambda call: call.fault == "drop")
    (folder / "late.md").unlink()
    await ann.sees("late.md")
    await house.quiet()
    await ann.asks("and now?", "answer to and now?")


def long_answer() -> str:
    """Return more than 20,000 characters of prose, tables and code, each line with a mark of its own."""
    parts = []
    for number in range(40):
        prose = " ".join(f"p{number:02}w{word:02}" for word in range(50))
        table = "\n".join(f"| t{number:02}r{row} | {'x' * 8} |" for row in range(4))
        code = "\n".join(f"c{number:02}l{line} = {line} < 2 and '`**raw**`'" for line in range(4))
        parts.append(f"## Part {number}\n\n{prose}\n\n| name | value |\n|---|---|\n{table}\n\n```py\n{code}\n```")
    return "\n\n".join(parts)


async def test_b01_a_very_long_answer_is_complete_in_order_and_well_formed(build: Build) -> None:
    text = long_answer()
    assert len(text) > 20_000
    house = await build(profiles=(scripted(script=[{"text": text}]),))
    ann = house.private()
    ann.say("everything, please")
    await ann.sees("c39l3")
    await house.quiet()
    assert all(0 < units(message) <= 4096 for message in ann.texts)
    marks = re.findall(r"\b(?:p\d\dw\d\d|t\d\dr\d|c\d\dl\d)\b", text)
    assert re.findall(r"\b(?:p\d\dw\d\d|t\d\dr\d|c\d\dl\d)\b", "\n".join(ann.texts)) == marks
    assert not any("```" in message for message in ann.texts)
    in_code = "\n".join(code for one in ann.messages for code in re.findall(r"<pre>(.*?)</pre>", one.markup, re.S))
    code = html.unescape(re.sub(r"<[^>]*>", "", in_code))
    assert all(f"c{number:02}l{line} = {line} < 2 and '`**raw**`'" in code for number in range(40) for line in range(4))
    errors = [call.error for call in house.simulator.calls.all if call.status not in (200, 0, 429)]
    # At most the final edit finds what a preview showed already.
    assert len(errors) <= 1
    assert all("message is not modified" in error for error in errors)


async def test_an_answer_beyond_the_limit_of_text_is_read_up_to_there(build: Build) -> None:
    house = await build(limits=Limits(text_characters=1000, messages_per_minute=1000))
    ann = house.private()
    ann.say("begin " + "x" * 3000)
    await ann.sees("3,006 characters")
    await ann.sees("answer to begin")
    await asyncio.wait_for(house.quiet(), 10)
    assert "1,000" in next(text for text in ann.texts if "3,006" in text and "I read only" in text)
