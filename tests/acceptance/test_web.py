"""The page of our own: the same bot, the same runs."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

from tests.acceptance.page import Talk, talk
from tests.support.house import House


async def shape(house: House, platform: str) -> list[Any]:
    """Return what is stored of the runs of a platform, without what differs by nature."""
    found = await house.rows(
        "SELECT r.status, r.outcome, r.stop_reason, r.error, r.command, r.attempt, r.code_version,"
        " (SELECT count(*) FROM inbox i WHERE i.run_id = r.id),"
        " (SELECT group_concat(kind) FROM (SELECT kind FROM item WHERE run_id = r.id ORDER BY seq)),"
        " (SELECT group_concat(step_key) FROM (SELECT step_key FROM run_step WHERE run_id = r.id ORDER BY step_key)),"
        " (SELECT group_concat(model) FROM usage u WHERE u.run_id = r.id),"
        " (SELECT group_concat(status) FROM outbox o WHERE o.run_id = r.id)"
        " FROM run r WHERE r.room_key LIKE :room ORDER BY r.id",
        room=f"{platform}/%",
    )
    return list(found)


async def test_k13_the_same_words_make_the_same_run_on_every_platform(house: House) -> None:
    words = '#tool calculate {"expression": "6*7"} so what is it?'
    ann = house.private()
    await ann.asks(words, "42")
    async with talk(house) as page:
        await page.asks(words, "so what is it?: 42")
        await house.quiet()
    by_telegram, by_web = await shape(house, "telegram"), await shape(house, "web")
    assert len(by_web) == 1
    assert by_telegram == by_web


async def test_k22_a_reload_in_the_middle_of_an_answer_loses_and_repeats_nothing(house: House) -> None:
    async with talk(house) as page:
        await page.say("tell me #long 60 #pace 0.2")
        await page.until(lambda: bool(page.previews))
        async with page.browser.session.get(f"/chat/{page.browser.conversation}") as response:
            assert response.status == 200
            assert "tell me" in await response.text()
        before = len(page.seen)
        await page.sees("word60")
        assert before >= 1
        assert page.seen == sorted(set(page.seen), key=int)
        again = Talk(page.browser)
        await again.sees("word60")
        assert again.shown == page.shown
        assert len(again.shown) == 2
        assert again.text.split().count("word30") == 1


async def test_the_page_comes_back_after_a_restart_of_the_bot(house: House) -> None:
    async with talk(house) as page:
        await page.say("keep at it #long 60 #pace 0.2")
        await page.until(lambda: bool(page.previews))
        conversation, cookies = page.browser.conversation, page.browser.session.cookie_jar
        await house.drop()
        await house.start()
        async with house.browser() as browser:
            browser.session.cookie_jar.update_cookies({cookie.key: cookie.value for cookie in cookies})
            async with browser.session.get(f"/chat/{conversation}", headers={"Accept": "text/html"}) as response:
                browser.read(await response.text())
            again = Talk(browser)
            await again.sees("word60")
            await house.quiet()
            assert again.text.split().count("word60") == 1
            await again.asks("and on", "answer to and on")


def _address(page: Talk) -> str:
    """Return where the page offers the report, empty while it does not."""
    found = re.findall(r'"(/chat/files/[^"?]+/report\.md)[?"]', "".join(page.shown.values()))
    return found[0] if found else ""


async def test_files_go_both_ways(house: House) -> None:
    async with talk(house) as page:
        status, stored = await page.browser.upload("notes.txt", b"some notes", "text/plain")
        assert status == 200
        await page.say("read this", files=(stored["id"],))
        await page.sees("answer to")
        await house.quiet()
        thread = await house.thread_of("web/")
        assert (house.folder(thread, "uploads") / "notes.txt").read_bytes() == b"some notes"
        outputs = house.folder(thread, "outputs")
        outputs.mkdir(parents=True, exist_ok=True)
        (outputs / "report.md").write_bytes(b"# Report")
        call = json.dumps({"paths": ["/mnt/user-data/outputs/report.md"]})
        await page.say(f"#tool present_files {call} #say take it")
        await page.until(lambda: bool(_address(page)))
        address = _address(page)
        async with page.browser.session.get(address) as response:
            assert await response.read() == b"# Report"
        async with house.browser() as stranger, stranger.session.get(address) as response:
            assert await response.read() != b"# Report"


async def test_stop_on_the_page_while_it_answers(house: House) -> None:
    async with talk(house) as page:
        await page.say("slowly #long 60 #pace 5")
        await page.until(lambda: bool(page.previews))
        status, _ = await page.browser.post(f"/chat/{page.browser.conversation}/stop", {"key": "stop-key-000001"})
        assert status == 200
        await page.sees("(stopped)")
        await house.quiet()
        assert await house.rows("SELECT outcome FROM run") == [("cancelled",)]


async def test_an_unknown_button_is_refused_in_words(house: House) -> None:
    async with talk(house) as page:
        await page.asks("hello", "answer to hello")
        press = {"key": "press-key-00001", "message": max(page.shown), "action": 3}
        status, body = await page.browser.post(f"/chat/{page.browser.conversation}/presses", press)
        assert status == 404
        assert "no longer there" in orjson.dumps(body).decode()
