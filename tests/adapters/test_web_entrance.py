"""Who comes in, by which address, and what every answer carries."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urljoin

import pytest
from yarl import URL

from adapters.web.facts import SESSION_DAYS, WRONG_CODE_SECONDS, WRONG_CODES
from adapters.web.guard import Guard
from adapters.web.throttle import Throttle
from tests.support.web_page import CODE, SECOND_CODE, WebPage, web_page

HTML = {"Accept": "text/html"}


class TestClock:
    """A clock that stands until it is moved; sleeping lasts for ever."""

    __test__ = False

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()

    async def sleep(self, seconds: float) -> None:
        await asyncio.Event().wait()

    def move(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
async def page(tmp_path: Path, clock: TestClock) -> AsyncIterator[WebPage]:
    async with web_page(tmp_path, clock=clock) as page:
        yield page


def a_form(html: str, code: str) -> dict[str, str]:
    return {"csrf": html.split('name="csrf" value="')[1].split('"')[0], "code": code, "name": "Grace"}


async def test_a_stranger_sees_the_sign_in_form_and_nothing_else(page: WebPage) -> None:
    async with page.browser() as browser:
        async with browser.session.get("/") as response:
            html = await response.text()
            assert response.status == 200
        assert 'name="code"' in html
        assert "messages" not in html
        async with browser.session.get("/chat/conversations") as response:
            assert response.status == 401
        async with browser.session.get("/chat/some-conversation-1", headers=HTML, allow_redirects=False) as response:
            assert (response.status, response.headers["Location"]) == (302, "/")
        async with browser.session.post("/chat/some-conversation-1/messages", json={}) as response:
            assert response.status == 401


async def test_the_form_signs_in_and_the_session_lasts_until_it_is_over(page: WebPage, clock: TestClock) -> None:
    async with page.browser() as browser:
        async with browser.session.get("/") as response:
            form = a_form(await response.text(), f"  {CODE} ")
        async with browser.session.post("/sign-in", data=form, allow_redirects=False) as response:
            assert (response.status, response.headers["Location"]) == (303, "/")
            cookie = response.cookies["deckhand_session"]
        assert cookie["httponly"] and cookie["samesite"] == "Strict" and not cookie["secure"]
        async with browser.session.get("/") as response:
            assert "Grace" in await response.text()
        clock.move(SESSION_DAYS * 86_400 + 1)
        async with browser.session.get("/") as response:
            assert 'name="code"' in await response.text()


async def test_the_session_token_is_stored_as_its_hash_only(page: WebPage) -> None:
    async with page.browser(CODE) as browser:
        token = next(cookie.value for cookie in browser.session.cookie_jar if cookie.key == "deckhand_session")
    stored = (page.home / "page.db-wal").read_bytes() + (page.home / "page.db").read_bytes()
    assert token.encode() not in stored


async def test_a_link_signs_in_once_and_the_code_leaves_the_address(page: WebPage) -> None:
    async with page.browser() as browser:
        async with browser.session.get("/", params={"code": CODE}, allow_redirects=False) as response:
            assert (response.status, response.headers["Location"]) == (303, "/")
        async with browser.session.get("/", params={"code": CODE}, allow_redirects=False) as response:
            assert (response.status, response.headers["Location"]) == (303, "/")
    async with page.browser() as browser, browser.session.get("/", params={"code": CODE}) as response:
        assert response.status == 403
        assert "wrong, used or too old" in await response.text()


async def test_a_program_that_looks_at_the_link_does_not_use_it_up(page: WebPage) -> None:
    async with page.browser() as browser:
        async with browser.session.head("/", params={"code": CODE}) as response:
            assert response.status == 200
        async with browser.session.get("/", params={"code": CODE}) as response:
            assert 'data-conversation="' in await response.text()


async def test_wrong_codes_are_slowed_down_and_a_right_one_is_let_in_later(page: WebPage, clock: TestClock) -> None:
    async with page.browser() as browser:
        for _ in range(WRONG_CODES):
            async with browser.session.get("/", params={"code": "guess"}) as response:
                assert response.status == 403
        async with browser.session.get("/", params={"code": CODE}) as response:
            assert response.status == 429
            assert int(response.headers["Retry-After"]) == WRONG_CODE_SECONDS
        clock.move(WRONG_CODE_SECONDS + 1)
        async with browser.session.get("/", params={"code": CODE}) as response:
            assert 'data-conversation="' in await response.text()


def test_right_codes_do_not_count_as_tries(clock: TestClock) -> None:
    throttle = Throttle(clock)
    for _ in range(WRONG_CODES * 3):
        assert throttle.attempt("here") == 0
        throttle.forgive("here")


def test_many_addresses_do_not_get_many_more_tries(clock: TestClock) -> None:
    throttle = Throttle(clock)
    let_through = sum(throttle.attempt(f"address-{number}") == 0 for number in range(1000))
    assert let_through == 50


async def test_the_form_is_refused_without_the_word_of_our_page(page: WebPage) -> None:
    async with page.browser() as browser:
        async with browser.session.post("/sign-in", data={"code": CODE}) as response:
            assert response.status == 403
        async with browser.session.get("/") as response:
            form = {**a_form(await response.text(), CODE), "csrf": "0" * 64}
        async with browser.session.post("/sign-in", data=form) as response:
            assert response.status == 403
    assert CODE in page.admission.codes


async def test_a_post_without_the_word_or_from_another_site_is_refused(page: WebPage) -> None:
    async with page.browser(CODE) as browser:
        path, body = f"/chat/{browser.conversation}/messages", {"key": "key-00001", "text": "hi"}
        assert (await browser.post(path, body, **{"X-CSRF-Token": "wrong"}))[0] == 403
        assert (await browser.post(path, body, Origin="https://evil.example"))[0] == 403
        assert (await browser.post(path, body, Origin="null"))[0] == 403
        assert (await browser.post(path, body, **{"Sec-Fetch-Site": "cross-site"}))[0] == 403
        assert page.intake.events == []
        assert (await browser.post(path, body, Origin=page.url))[0] == 200


async def test_a_foreign_host_name_is_refused(page: WebPage) -> None:
    async with page.browser(CODE) as browser:
        for path in ("/", f"/chat/{browser.conversation}", "/static/chat/x/main.js"):
            async with browser.session.get(path, headers={"Host": "evil.example"}) as response:
                assert response.status == 421
        port = page.url.rsplit(":", 1)[1]
        async with browser.session.get("/", headers={"Host": f"localhost:{port}"}) as response:
            assert response.status == 200


async def test_signing_out_ends_the_session_and_its_streams(page: WebPage) -> None:
    async with page.browser(CODE) as browser:
        await browser.say("hi", key="key-00001")
        async with browser.follow() as events:
            await events.next()
            assert (await browser.post("/sign-out", {}))[0] == 200
            with pytest.raises(EOFError):
                await events.next()
        async with browser.session.get("/chat/conversations") as response:
            assert response.status == 401


async def test_a_person_who_may_come_in_no_more_is_out_at_once(page: WebPage) -> None:
    async with page.browser(CODE) as browser:
        page.admission.people.clear()
        assert (await browser.say("hi", key="key-00001"))[0] == 401


async def test_every_page_carries_the_security_headers(page: WebPage) -> None:
    async with page.browser(SECOND_CODE) as browser:
        for path in ("/", "/chat/conversations", "/nothing-here"):
            async with browser.session.get(path) as response:
                policy = response.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'none'")
                assert "unsafe" not in policy
                assert "frame-ancestors 'none'" in policy
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                assert response.headers["Referrer-Policy"] == "same-origin"


async def test_the_scripts_of_the_page_lead_to_each_other_and_may_be_kept(page: WebPage) -> None:
    async with page.browser(CODE) as browser:
        async with browser.session.get("/", headers=HTML) as response:
            html = await response.text()
        [main] = re.findall(r'<script type="module" src="([^"]+)"></script>', html)
        assert html.count("<script") == 1
        found, ahead = set[str](), [main]
        while ahead:
            address = ahead.pop()
            found.add(address)
            async with browser.session.get(address) as response:
                assert (response.status, response.content_type) == (200, "text/javascript"), address
                assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
                imports = re.findall(r'^import .* from "(.+)";$', await response.text(), flags=re.MULTILINE)
            ahead += {urljoin(address, name) for name in imports} - found - set(ahead)
        assert found == set(re.findall(r'<link rel="modulepreload" href="([^"]+)">', html))


async def test_a_static_file_under_an_old_version_is_not_kept(page: WebPage) -> None:
    async with page.browser() as browser:
        async with browser.session.get("/static/chat/old/main.js") as response:
            assert (response.status, response.headers["Cache-Control"]) == (200, "no-cache")
        for name in ("chat.js", "..%2Fpages.py", "pages.py"):
            async with browser.session.get(URL(f"{page.url}/static/chat/old/{name}", encoded=True)) as response:
                assert response.status == 404


async def test_behind_https_the_cookie_is_secure(tmp_path: Path) -> None:
    async with web_page(tmp_path, public_url="https://chat.example.org") as page, page.browser() as browser:
        headers = {"Host": "chat.example.org"}
        async with browser.session.get("/", params={"code": CODE}, headers=headers, allow_redirects=False) as response:
            assert response.cookies["deckhand_session"]["secure"]


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True),
        ("localhost:8010", True),
        ("127.0.0.1:8010", True),
        ("[::1]:8010", True),
        ("192.168.1.20", True),
        ("bot.internal:80", True),
        ("CHAT.example.org", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("chat.example.org.evil.example", False),
        ("", False),
        ("[bad", False),
    ],
)
def test_which_addresses_are_ours(host: str, known: bool) -> None:
    guard = Guard(host="bot.internal", public_url="https://chat.example.org")
    assert guard.knows(host) is known


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({"Origin": "http://localhost:8010", "Host": "localhost:8010"}, True),
        ({"Origin": "https://chat.example.org", "Host": "10.0.0.7:8010"}, True),
        ({"Origin": "http://localhost:9999", "Host": "localhost:8010"}, False),
        ({"Origin": "null", "Host": "localhost:8010"}, False),
        ({"Origin": "file://", "Host": ""}, False),
        ({"Host": "localhost:8010"}, True),
        ({"Host": "localhost:8010", "Sec-Fetch-Site": "same-site"}, False),
    ],
)
def test_which_pages_may_post(headers: dict[str, str], own: bool) -> None:
    assert Guard(host="127.0.0.1", public_url="https://chat.example.org").is_own_page(headers) is own


@pytest.mark.parametrize(
    "headers",
    [
        b"Cookie: deckhand_session=a\xffb\r\n",
        b"Cookie: deckhand_sign_in=a\xffb\r\n",
    ],
)
async def test_bytes_that_are_no_text_are_an_unknown_visitor(page: WebPage, headers: bytes) -> None:
    assert b" 200 " in await a_raw_answer(page, b"GET / HTTP/1.1\r\n", headers)


async def test_a_word_that_is_no_text_is_a_wrong_word(page: WebPage) -> None:
    async with page.browser(CODE) as browser:
        token = next(cookie.value for cookie in browser.session.cookie_jar if cookie.key == "deckhand_session")
        headers = f"Cookie: deckhand_session={token}\r\nContent-Length: 0\r\n".encode() + b"X-CSRF-Token: a\xffb\r\n"
        assert b" 403 " in await a_raw_answer(page, b"POST /sign-out HTTP/1.1\r\n", headers)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", b"code=\xff"),
        ("application/x-www-form-urlencoded; charset=nonsense", b"code=x"),
        ("multipart/form-data; boundary=x", b"not a form"),
    ],
)
async def test_a_form_that_cannot_be_read_is_refused_in_words(page: WebPage, kind: str, body: bytes) -> None:
    async with (
        page.browser() as browser,
        browser.session.post("/sign-in", data=body, headers={"Content-Type": kind}) as response,
    ):
        assert response.status == 400
        assert "The page was open for too long" in await response.text()


async def test_a_name_without_control_characters_comes_in(page: WebPage) -> None:
    async with page.browser() as browser:
        async with browser.session.get("/") as response:
            form = a_form(await response.text(), CODE) | {"name": "  Gr\0ace\nHopper "}
        async with browser.session.post("/sign-in", data=form, allow_redirects=False) as response:
            assert response.status == 303
    assert [person.name for person in page.admission.people.values()] == ["Gr ace Hopper"]


async def a_raw_answer(page: WebPage, line: bytes, headers: bytes) -> bytes:
    url = URL(page.url)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    try:
        writer.write(line + f"Host: {url.host}:{url.port}\r\n".encode() + headers + b"\r\n")
        return await asyncio.wait_for(reader.readline(), 10)
    finally:
        writer.close()
