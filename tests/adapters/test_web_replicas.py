"""What holds the page together over time: other replicas, signs of life, tidying, the doctor."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from adapters.web import ADAPTER
from adapters.web.files import FileStore
from adapters.web.live import GROWING_AT_ONCE, Live
from adapters.web.session import hash_of
from bot.adapter import Toolkit
from bot.system_clock import SystemClock
from bot.transcript import Moment
from tests.support.web_page import CODE, web_page


class HastyClock(SystemClock):
    """A clock in whose sleep a second takes ten milliseconds."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 100)


class LaterClock(SystemClock):
    """A clock that is two days ahead."""

    def now(self) -> datetime:
        return super().now() + timedelta(days=2)


async def test_a_viewer_sees_what_another_replica_writes(tmp_path: Path) -> None:
    async with web_page(tmp_path) as here, web_page(tmp_path) as there, here.browser(CODE) as browser:
        await browser.say("hi", key="key-00001")
        async with browser.follow() as events:
            await events.next()
            await there.answer(here.intake.events[0], "from over there", "run:1")
            assert "from over there" in json.loads((await events.next())["data"])["html"]


async def test_k22_a_silent_stream_gives_signs_of_life(tmp_path: Path) -> None:
    async with web_page(tmp_path, clock=HastyClock()) as page, page.browser(CODE) as browser:
        await browser.say("hi", key="key-00001")
        async with browser.follow() as events:
            beat = await events.until("beat")
            assert "id" not in beat
            assert (await events.until("beat"))["data"] == "{}"


async def test_a_stream_ends_when_its_session_was_ended_elsewhere(tmp_path: Path) -> None:
    async with web_page(tmp_path, clock=HastyClock()) as page, page.browser(CODE) as browser:
        await browser.say("hi", key="key-00001")
        token = next(cookie.value for cookie in browser.session.cookie_jar if cookie.key == "deckhand_session")
        async with browser.follow() as events:
            await events.next()
            await page.pages.sign_out(Moment(id=hash_of(token), now=SystemClock().now()))
            with pytest.raises(EOFError):
                while True:
                    await events.next()


async def test_what_intake_did_not_take_is_delivered_again_without_the_browser(tmp_path: Path) -> None:
    async with web_page(tmp_path, clock=HastyClock()) as page, page.browser(CODE) as browser:
        page.intake.busy = 2
        assert (await browser.say("hi", key="key-00001"))[0] == 503
        assert (await page.intake.wait_for(1)).text == "hi"


async def test_uploads_that_were_never_sent_are_removed(tmp_path: Path) -> None:
    async with web_page(tmp_path) as page, page.browser(CODE) as browser:
        _, sent = await browser.upload("sent.txt", b"sent", "text/plain")
        _, left = await browser.upload("left.txt", b"left", "text/plain")
        await browser.say("here", key="key-00001", files=[sent["id"]])

        store = FileStore(tmp_path / "web" / "files", page.pages, LaterClock())
        await store.tidy()
        assert await page.pages.file(left["id"]) is None
        assert not store.path(left["id"]).exists()
        assert await page.pages.file(sent["id"]) is not None
        assert store.path(sent["id"]).read_bytes() == b"sent"


async def test_closing_ends_every_stream_at_once(tmp_path: Path) -> None:
    async with web_page(tmp_path) as page, page.browser(CODE) as browser:
        await browser.say("hi", key="key-00001")
        async with browser.follow() as events:
            await events.next()
            await page.connection.close()
            with pytest.raises(EOFError):
                await events.next()


def test_previews_of_runs_that_died_do_not_pile_up() -> None:
    live = Live()
    for number in range(GROWING_AT_ONCE + 5):
        live.grow("c", number, "x")
    left = [growing.message_id for growing in live.growing("c")]
    assert left == list(range(5, GROWING_AT_ONCE + 5))


@pytest.mark.parametrize(
    ("url", "ok"),
    [
        ("", True),
        ("https://bot.example.org", True),
        ("http://localhost:8010", True),
        ("http://bot.example.org", False),
        ("https://bot.example.org/chat", False),
        ("bot.example.org", False),
    ],
)
async def test_the_doctor_names_what_is_wrong_with_the_address(tmp_path: Path, url: str, ok: bool) -> None:
    checks = await ADAPTER.doctor(a_toolkit(tmp_path, url))
    assert checks[0].ok is ok
    assert bool(checks[0].fix) is not ok
    assert checks[1].ok


async def test_the_doctor_names_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    checks = await ADAPTER.doctor(a_toolkit(tmp_path / "file", ""))
    assert not checks[1].ok
    assert checks[1].fix


def a_toolkit(home: Path, url: str) -> Toolkit:
    return Toolkit(environment={}, options={"public_url": url}, home=home, clock=SystemClock(), commands=(), ports={})
