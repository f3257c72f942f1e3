"""The page from a browser's side: saying, following, files, refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from adapters.web import ADAPTER
from adapters.web.facts import MAX_MISSED
from adapters.web.files import FileStore
from bot.cards import Action, Card, Field, FieldKind, Option, Style
from bot.errors import Gone, Refused, Vanished
from bot.events import Attachment, Kind
from bot.replies import OutFile, Reply
from bot.system_clock import SystemClock
from tests.support.web_page import CODE, SECOND_CODE, Browser, WebPage, a_room, web_page


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[WebPage]:
    async with web_page(tmp_path) as page:
        yield page


@pytest.fixture
async def browser(page: WebPage) -> AsyncIterator[Browser]:
    async with page.browser(CODE) as browser:
        yield browser


async def test_what_is_said_is_stored_and_delivered_before_the_browser_is_answered(
    page: WebPage, browser: Browser
) -> None:
    status, answer = await browser.say("Hello **bot**", key="key-00001")
    (event,) = page.intake.events
    assert status == 200
    assert event.id == f"web:{answer['id']}"
    assert event.kind is Kind.MESSAGE
    assert event.text == "Hello **bot**"
    assert event.room == a_room(conversation=browser.conversation)
    assert (event.author.id, event.author.name) == ("p1", "Ada")
    assert event.direct and event.mentions_bot
    assert event.message_id == str(answer["id"])
    assert "Hello **bot**" in answer["html"]


async def test_the_same_key_again_is_one_message_and_one_event(page: WebPage, browser: Browser) -> None:
    _, first = await browser.say("once", key="key-00001")
    _, second = await browser.say("once", key="key-00001")
    assert first["id"] == second["id"]
    assert len(page.intake.events) == 1


async def test_a_busy_intake_is_told_to_the_browser_and_asked_again_in_order(page: WebPage, browser: Browser) -> None:
    page.intake.busy = 1
    status, _ = await browser.say("first", key="key-00001")
    assert status == 503
    assert page.intake.events == []
    status, _ = await browser.say("second", key="key-00002")
    assert status == 200
    assert [event.text for event in page.intake.events] == ["first", "second"]
    await browser.say("first", key="key-00001")
    assert len(page.intake.events) == 2


async def test_messages_said_at_once_are_delivered_in_the_order_of_their_ids(page: WebPage, browser: Browser) -> None:
    await asyncio.gather(*(browser.say(f"message {number}", key=f"key-{number:05}") for number in range(20)))
    numbers = [int(event.message_id) for event in page.intake.events]
    assert numbers == sorted(numbers)
    assert len(numbers) == 20


async def test_what_a_crash_left_behind_is_delivered_by_the_next_start(tmp_path: Path) -> None:
    async with web_page(tmp_path) as page, page.browser(CODE) as browser:
        page.intake.busy = 100
        await browser.say("do not lose me", key="key-00001")
    async with web_page(tmp_path) as page:
        event = await page.intake.wait_for(1)
    assert event.text == "do not lose me"


async def test_conversations_are_listed_by_their_first_words_the_newest_first(page: WebPage, browser: Browser) -> None:
    await browser.say("# Plan the *launch*\nwith details", key="key-00001")
    async with browser.session.get("/") as response:
        browser.read(await response.text())
    await browser.say("x" * 300, key="key-00001")
    await browser.say("later words", key="key-00002")
    async with browser.session.get("/chat/conversations") as response:
        html = await response.text()
    assert html.index("x" * 59 + "…") < html.index("Plan the *launch*")
    assert "later words" not in html


async def test_an_answer_grows_and_then_stands(page: WebPage, browser: Browser) -> None:
    await browser.say("hi", key="key-00001")
    room = page.intake.events[0].room
    async with browser.follow() as events:
        mine = await events.next()
        message_id = await page.connection.post(room, None, key="run:1", anchor="")
        working = await events.next()
        await page.connection.fill(room, message_id, ADAPTER.preview("Half **an"))
        growing = await events.next()
        await page.connection.fill(room, message_id, page.part("Half **an** answer"))
        final = await events.next()
    assert [mine["event"], working["event"], growing["event"], final["event"]] == [
        "message",
        "message",
        "preview",
        "message",
    ]
    assert 'data-state="working"' in json.loads(working["data"])["html"]
    assert "id" not in growing
    assert "Half" in json.loads(growing["data"])["html"]
    assert "<strong>an</strong> answer" in json.loads(final["data"])["html"]
    assert [int(event["id"]) for event in (mine, working, final)] == [1, 2, 3]


async def test_k22_a_reload_in_the_middle_of_an_answer_loses_and_repeats_nothing(
    page: WebPage, browser: Browser
) -> None:
    await browser.say("hi", key="key-00001")
    room = page.intake.events[0].room
    message_id = await page.connection.post(room, None, key="run:1", anchor="")
    async with browser.follow() as events:
        await events.next()
        last = int((await events.next())["id"])
        await page.connection.fill(room, message_id, ADAPTER.preview("One"))
        await events.until("preview")
    await page.connection.fill(room, message_id, ADAPTER.preview("One two"))
    async with browser.follow(last=last) as events:
        first = await events.next()
        assert first["event"] == "preview"
        assert "One two" in json.loads(first["data"])["html"]
        await page.connection.fill(room, message_id, page.part("One two three"))
        final = await events.next()
        assert (final["event"], int(final["id"])) == ("message", last + 1)
    async with browser.follow(last=last + 1) as events:
        await page.answer(page.intake.events[0], "more", "run:2")
        assert "more" in json.loads((await events.next())["data"])["html"]


async def test_k22_who_missed_too_much_is_told_to_read_again(page: WebPage, browser: Browser) -> None:
    await browser.say("hi", key="key-00001")
    event = page.intake.events[0]
    for number in range(MAX_MISSED + 1):
        await page.answer(event, str(number), f"run:{number}")
    async with browser.follow(last=0) as events:
        gap = await events.next()
        assert (gap["event"], int(gap["id"])) == ("gap", MAX_MISSED + 2)
        await page.answer(event, "after the gap", "run:after")
        assert "after the gap" in (await events.next())["data"]
    async with browser.session.get(f"/chat/{browser.conversation}/history") as response:
        history = await response.json()
    assert history["change"] == MAX_MISSED + 3
    assert history["more"]
    assert "after the gap" in history["html"]


async def test_k22_who_saw_what_we_do_not_know_is_told_to_read_again(page: WebPage, browser: Browser) -> None:
    await browser.say("hi", key="key-00001")
    async with browser.follow(last=900) as events:
        gap = await events.next()
    assert (gap["event"], gap["id"]) == ("gap", "1")


async def test_earlier_messages_are_read_in_pieces(page: WebPage, browser: Browser) -> None:
    await browser.say("the first", key="key-00001")
    for number in range(70):
        await page.answer(page.intake.events[0], f"answer-{number}.", f"run:{number}")
    path = f"/chat/{browser.conversation}"
    async with browser.session.get(path) as response:
        newest = await response.text()
    assert "answer-69." in newest
    assert "the first" not in newest.split('id="messages"')[1]
    first = newest.split('data-id="')[1].split('"')[0]
    async with browser.session.get(f"{path}/history", params={"before": first}) as response:
        earlier = await response.json()
    assert "the first" in earlier["html"]
    assert not earlier["more"]


async def test_a_removed_message_disappears_for_viewers_and_from_the_history(page: WebPage, browser: Browser) -> None:
    await browser.say("hi", key="key-00001")
    room = page.intake.events[0].room
    message_id = await page.connection.post(room, None, key="run:1", anchor="")
    async with browser.follow(last=2) as events:
        await page.connection.remove(room, message_id)
        gone = json.loads((await events.next())["data"])
    assert (gone["id"], gone["removed"], gone["html"]) == (int(message_id), True, "")
    assert await page.connection.find(room, key="run:1") is None
    with pytest.raises(Vanished):
        await page.connection.fill(room, message_id, page.part("too late"))


async def test_a_repeated_post_and_a_repeated_fill_change_nothing(page: WebPage, browser: Browser) -> None:
    await browser.say("hi", key="key-00001")
    room = page.intake.events[0].room
    first = await page.connection.post(room, page.part("said"), key="run:1", anchor="")
    again = await page.connection.post(room, page.part("said"), key="run:1", anchor="")
    await page.connection.fill(room, first, page.part("said"))
    assert first == again == await page.connection.find(room, key="run:1")
    assert await page.pages.newest_changes([room.topic]) == {room.topic: 2}


async def test_a_placeholder_posted_again_does_not_undo_its_answer(page: WebPage, browser: Browser) -> None:
    await browser.say("hi", key="key-00001")
    room = page.intake.events[0].room
    message_id = await page.connection.post(room, None, key="run:1", anchor="")
    await page.connection.fill(room, message_id, page.part("It is forty-two"))
    assert await page.connection.post(room, None, key="run:1", anchor="") == message_id
    async with browser.session.get(f"/chat/{room.topic}") as response:
        assert "It is forty-two" in await response.text()


async def test_a_room_or_message_that_is_no_more_is_an_instruction(page: WebPage) -> None:
    with pytest.raises(Gone):
        await page.connection.post(a_room(), page.part("x"), key="run:1", anchor="")
    with pytest.raises(Vanished):
        await page.connection.fill(a_room(), "77", page.part("x"))
    with pytest.raises(Vanished):
        await page.connection.fill(a_room(), "not-a-number", page.part("x"))


async def test_a_pressed_button_says_its_control_word(page: WebPage, browser: Browser) -> None:
    await browser.say("choose", key="key-00001")
    card = Card(text="Sure?", actions=(Action(label="Yes", value="/yes 7"), Action(label="No", value="/no 7")))
    (message_id,) = await page.answer(page.intake.events[0], Reply(card=card), "run:1")
    path = f"/chat/{browser.conversation}/presses"
    press = {"key": "key-00002", "message": int(message_id), "action": 1, "values": {}}
    status, answer = await browser.post(path, press)
    await browser.post(path, press)
    assert status == 200
    assert len(page.intake.events) == 2
    event = page.intake.events[1]
    assert (event.kind, event.text) == (Kind.CLICK, "/no 7")
    assert "No" in answer["html"]
    status, _ = await browser.post(path, {**press, "key": "key-00003", "action": 2})
    assert status == 404


async def test_a_filled_form_says_its_word_and_what_was_filled_in(page: WebPage, browser: Browser) -> None:
    await browser.say("choose", key="key-00001")
    field = Field(name="model", label="Model", kind=FieldKind.CHOICE, options=(Option(label="Big", value="gpt-5"),))
    card = Card(fields=(field,), actions=(Action(label="Use", value="/model", style=Style.PRIMARY),))
    (message_id,) = await page.answer(page.intake.events[0], Reply(card=card), "run:1")
    path = f"/chat/{browser.conversation}/presses"
    press = {"key": "key-00002", "message": int(message_id), "action": 0, "values": {}}
    status, answer = await browser.post(path, press)
    assert (status, answer) == (400, {"error": "Please fill in: Model"})
    status, _ = await browser.post(path, {**press, "values": {"model": ["other"]}})
    assert status == 400
    status, answer = await browser.post(path, {**press, "values": {"model": ["gpt-5"]}})
    assert status == 200
    assert (page.intake.events[1].kind, page.intake.events[1].text) == (Kind.FORM, "/model gpt-5")
    assert "Use: Big" in answer["html"]


async def test_stop_says_the_control_word(page: WebPage, browser: Browser) -> None:
    await browser.say("long story", key="key-00001")
    status, _ = await browser.post(f"/chat/{browser.conversation}/stop", {"key": "key-00002"})
    assert status == 200
    assert (page.intake.events[1].kind, page.intake.events[1].text) == (Kind.CLICK, "/stop")


async def test_an_upload_arrives_with_its_message_and_can_be_fetched(
    page: WebPage, browser: Browser, tmp_path: Path
) -> None:
    status, file = await browser.upload("../notes\u202e.txt", b"some bytes", "text/plain")
    assert (status, file["name"], file["size"]) == (200, "notes.txt", 10)
    await browser.say("", key="key-00001", files=[file["id"]])
    (attachment,) = page.intake.events[0].files
    assert attachment == Attachment(name="notes.txt", handle=file["id"], media_type="text/plain", size=10)
    await page.connection.fetch(attachment, tmp_path / "got.txt", limit=10)
    assert (tmp_path / "got.txt").read_bytes() == b"some bytes"
    with pytest.raises(Refused):
        await page.connection.fetch(attachment, tmp_path / "more.txt", limit=9)
    with pytest.raises(Refused):
        await page.connection.fetch(Attachment(name="x", handle="0" * 32), tmp_path / "no.txt", limit=9)


async def test_a_file_of_the_bot_can_be_saved_and_a_picture_is_shown(
    page: WebPage, browser: Browser, tmp_path: Path
) -> None:
    await browser.say("files please", key="key-00001")
    (tmp_path / "page.html").write_text("<script>alert(1)</script>")
    (tmp_path / "dot.png").write_bytes(b"\x89PNG")
    reply = Reply(
        files=(
            OutFile(name='say "hi".html', path=tmp_path / "page.html", media_type="text/html"),
            OutFile(name="dot.png", path=tmp_path / "dot.png", media_type="image/png"),
        )
    )
    await page.answer(page.intake.events[0], reply, "run:1")
    (tmp_path / "page.html").unlink()
    async with browser.session.get(f"/chat/{browser.conversation}") as response:
        html = await response.text()
    urls = [piece.split('"')[0] for piece in html.split('href="')[1:] if piece.startswith("/chat/files/")]
    async with browser.session.get(urls[0]) as response:
        assert await response.text() == "<script>alert(1)</script>"
        assert response.headers["Content-Type"] == "application/octet-stream"
        assert response.headers["Content-Disposition"] == "attachment; filename*=UTF-8''say%20%22hi%22.html"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in response.headers["Content-Security-Policy"]
    async with browser.session.get(urls[1]) as response:
        assert response.headers["Content-Disposition"].startswith("inline")
        assert response.headers["Content-Type"] == "image/png"


async def test_a_file_posted_again_is_kept_once_and_one_that_is_gone_is_refused(
    page: WebPage, browser: Browser, tmp_path: Path
) -> None:
    await browser.say("files please", key="key-00001")
    (tmp_path / "a.txt").write_text("a")
    reply = Reply(files=(OutFile(name="a.txt", path=tmp_path / "a.txt", media_type="text/plain"),))
    event = page.intake.events[0]
    assert await page.answer(event, reply, "run:1") == await page.answer(event, reply, "run:1")
    assert len([path for path in (tmp_path / "web").rglob("*") if path.is_file()]) == 1
    (tmp_path / "a.txt").unlink()
    with pytest.raises(Refused):
        await page.answer(event, reply, "run:2")


async def test_an_upload_beyond_the_limit_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    async with web_page(tmp_path, upload_bytes=1000) as page, page.browser(CODE) as browser:
        status, answer = await browser.upload("big.bin", b"x" * 1001, "application/octet-stream")
        assert status == 413
        assert "big.bin" in answer["error"]
    assert [path for path in (tmp_path / "web").rglob("*") if path.is_file()] == []


async def test_nobody_reads_or_writes_in_somebody_elses_conversation(page: WebPage, browser: Browser) -> None:
    _, file = await browser.upload("secret.txt", b"secret", "text/plain")
    await browser.say("mine", key="key-00001", files=[file["id"]])
    async with page.browser(SECOND_CODE) as other:
        other.conversation = browser.conversation
        assert (await other.say("yours?", key="key-00009"))[0] == 404
        assert (await other.post(f"/chat/{other.conversation}/stop", {"key": "key-00010"}))[0] == 404
        for path in ("", "/history", "/events"):
            async with other.session.get(f"/chat/{other.conversation}{path}") as response:
                assert response.status == 404
        async with other.session.get(f"/chat/files/{file['id']}/secret.txt") as response:
            assert response.status == 404
        other.conversation = "a-conversation-of-mine"
        assert (await other.say("take it", key="key-00011", files=[file["id"]]))[0] == 404
    assert len(page.intake.events) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"text": "no key"},
        {"key": "short", "text": "x"},
        {"key": "key-00001", "text": ""},
        {"key": "key-00001", "text": 7},
        {"key": "key-00001", "text": "x", "files": ["../../etc/passwd"]},
        {"key": "key-00001", "text": "x" * 200_001},
        {"key": "key-00001", "text": "x", "files": ["0" * 32] * 21},
    ],
)
async def test_what_the_page_never_sends_is_refused_with_a_sentence(
    page: WebPage, browser: Browser, body: dict[str, object]
) -> None:
    status, answer = await browser.post(f"/chat/{browser.conversation}/messages", body)
    assert status == 400
    assert answer["error"]
    assert page.intake.events == []


async def test_text_of_people_and_models_never_becomes_markup(page: WebPage, browser: Browser) -> None:
    await browser.say("<img src=x onerror=alert(1)>", key="key-00001")
    await page.answer(page.intake.events[0], "<script>alert(1)</script> [x](javascript:alert(1))", "run:1")
    async with browser.session.get(f"/chat/{browser.conversation}") as response:
        html = await response.text()
    shown = html.split('id="messages"')[1].split('class="composer-place"')[0]
    assert "<img src=x" not in shown
    assert "<script" not in shown
    assert 'href="javascript' not in shown


async def test_a_very_long_message_goes_through_whole(page: WebPage, browser: Browser) -> None:
    text = "ä" * 199_990
    status, _ = await browser.say(text, key="key-00001")
    assert status == 200
    assert page.intake.events[0].text == text


async def test_an_upload_that_the_disk_cannot_hold_is_told_and_leaves_nothing(
    page: WebPage, browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "web").mkdir(exist_ok=True)
    (tmp_path / "web" / "files").write_text("a file in the place of the folder")
    status, answer = await browser.upload("notes.txt", b"some bytes", "text/plain")
    assert status == 507
    assert answer["error"] == "notes.txt could not be stored on the bot's disk. Tell whoever runs the bot."


async def test_an_upload_that_cannot_be_removed_is_logged_with_the_cause(
    page: WebPage, browser: Browser, tmp_path: Path
) -> None:
    _, file = await browser.upload("notes.txt", b"some bytes", "text/plain")
    files = FileStore(tmp_path / "web" / "files", page.pages, Later())
    files.path(file["id"]).unlink()
    files.path(file["id"]).mkdir()
    with capture_logs() as logs:
        await files.tidy()
    (entry,) = logs
    assert (entry["event"], entry["file"]) == ("page_file_not_removed", file["id"])
    assert entry["because"]


class Later(SystemClock):
    """A clock two days ahead."""

    def now(self) -> datetime:
        return super().now() + timedelta(days=2)
