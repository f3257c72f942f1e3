"""The page in a real browser: what a person sees, does with hands and keyboard, and what breaks on the way."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from adapters.web import ADAPTER
from bot.cards import Action, Card, Field, FieldKind, Option, Style
from bot.events import Event, Kind
from bot.replies import OutFile, Reply
from tests.browser.conftest import CHROMIUM, NOT_RUN
from tests.support.web_page import CODE, SECOND_CODE, WebPage, web_page

SHOTS = Path(__file__).parent.parent / "shots"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

ANSWER = """Here is what I found.

## Last night's deploy

The build **passed**, but the rollout stopped at *canary*. Two things stand out:

1. `checkout` answers slower since 02:14, see [the dashboard](https://grafana.example.org/d/1).
2. The queue grew until the workers were restarted.

| service | p95 before | p95 now |
|---|---:|---:|
| checkout | 120 ms | 480 ms |
| search | 80 ms | 82 ms |

```python
def retry(attempt: int) -> float:
    return min(30.0, 0.5 * 2**attempt)
```

- [x] roll back `checkout`
- [ ] find out who holds the lock

> Rolled back at 02:31 by the on-call engineer.
"""

Scheme = Literal["light", "dark"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=NOT_RUN)


class Bot:
    """Answers as it is told to; each step of an answer waits for the test."""

    def __init__(self, page: WebPage) -> None:
        self.page = page
        self.count = 0

    async def begin(self, event: Event) -> tuple[Event, str]:
        """Post the placeholder of an answer."""
        self.count += 1
        key = f"bot:{self.count}"
        return event, await self.page.connection.post(event.room, None, key=key, anchor="")

    async def grow(self, answer: tuple[Event, str], text: str) -> None:
        await self.page.connection.fill(answer[0].room, answer[1], ADAPTER.preview(text))

    async def end(self, answer: tuple[Event, str], text: str) -> None:
        await self.page.connection.fill(answer[0].room, answer[1], self.page.part(text))

    async def say(self, event: Event, reply: Reply | str) -> None:
        self.count += 1
        await self.page.answer(event, reply, f"bot:{self.count}")


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[WebPage]:
    async with web_page(tmp_path, upload_bytes=100_000) as page:
        yield page


@pytest.fixture
def bot(page: WebPage) -> Bot:
    return Bot(page)


@pytest.fixture
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        await browser.close()


@asynccontextmanager
async def a_tab(chromium: Browser, page: WebPage, code: str = CODE, **options: Any) -> AsyncIterator[Page]:
    """Open the page, signed in; whatever the browser complains about fails the test."""
    context = await chromium.new_context(viewport=options.pop("viewport", {"width": 1180, "height": 800}), **options)
    try:
        tab = await new_tab(context)
        await tab.goto(f"{page.url}/?code={code}" if code else page.url)
        yield tab
        assert complaints(tab) == []
    finally:
        await context.close()


_complaints: dict[int, list[str]] = {}


async def new_tab(context: BrowserContext) -> Page:
    tab = await context.new_page()
    said: list[str] = []
    _complaints[id(tab)] = said
    tab.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: said.append(str(error)))
    return tab


def complaints(tab: Page) -> list[str]:
    return _complaints[id(tab)]


async def say(tab: Page, text: str) -> None:
    await tab.get_by_role("combobox", name="Message").fill(text)
    await tab.keyboard.press("Enter")


def answers(tab: Page) -> Any:
    return tab.locator(".message.bot")


async def scroll_gap(tab: Page) -> float:
    """Return how far the newest message is below the window."""
    gap: float = await tab.evaluate(
        "() => { const s = document.getElementById('scroller'); return s.scrollHeight - s.scrollTop - s.clientHeight; }"
    )
    return gap


async def is_wider_than_the_window(tab: Page) -> bool:
    wider: bool = await tab.evaluate(
        "() => document.documentElement.scrollWidth > innerWidth"
        " || document.getElementById('scroller').scrollWidth > document.getElementById('scroller').clientWidth"
    )
    return wider


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_an_answer_streams_and_stands(page: WebPage, bot: Bot, chromium: Browser, scheme: Scheme) -> None:
    async with a_tab(chromium, page, color_scheme=scheme) as tab:
        assert tab.url == f"{page.url}/"
        await expect(tab.get_by_role("heading", name="What shall we work on, Ada?")).to_be_visible()
        await tab.screenshot(path=SHOTS / f"empty-{scheme}.png")
        await say(tab, "What happened to last night's deploy?\nPlease be brief.")
        event = await page.intake.wait_for(1)
        assert event.text == "What happened to last night's deploy?\nPlease be brief."
        answer = await bot.begin(event)
        await expect(answers(tab)).to_have_attribute("data-state", "working")
        await expect(tab.get_by_role("button", name="Stop the answer")).to_be_visible()
        half = ANSWER[: ANSWER.index("| search")]
        await bot.grow(answer, half)
        await expect(answers(tab)).to_contain_text("rollout stopped at canary")
        await tab.screenshot(path=SHOTS / f"growing-{scheme}.png")
        await bot.end(answer, ANSWER)
        await expect(answers(tab)).to_have_attribute("data-state", "done")
        await expect(answers(tab).locator("td").last).to_have_text("82 ms")
        await expect(tab.get_by_role("button", name="Stop the answer")).to_be_hidden()
        await expect(tab.locator("#announcer")).to_contain_text("Here is what I found")
        await expect(tab.get_by_role("link", name="What happened to last night's deploy?")).to_be_visible()
        assert tab.url == f"{page.url}/chat/{event.room.topic}"
        await tab.screenshot(path=SHOTS / f"answer-{scheme}.png")


async def test_k22_a_reload_in_the_middle_of_an_answer(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await say(tab, "a long story")
        answer = await bot.begin(await page.intake.wait_for(1))
        await bot.grow(answer, "Once upon")
        await expect(answers(tab)).to_contain_text("Once upon")
        await tab.reload()
        await expect(answers(tab)).to_contain_text("Once upon")
        await bot.grow(answer, "Once upon a time")
        await expect(answers(tab)).to_contain_text("Once upon a time")
        await tab.reload()
        await bot.end(answer, "Once upon a time there was an end.")
        await expect(answers(tab)).to_contain_text("there was an end.")
        await expect(answers(tab)).to_have_count(1)
        await expect(tab.locator(".message.person")).to_have_count(1)


async def test_two_tabs_show_the_same(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await say(tab, "from the first tab")
        event = await page.intake.wait_for(1)
        other = await new_tab(tab.context)
        await other.goto(f"{page.url}/chat/{event.room.topic}")
        await say(other, "from the second tab")
        await expect(tab.locator(".said")).to_have_text(["from the first tab", "from the second tab"])
        answer = await bot.begin(event)
        await bot.grow(answer, "to both")
        for one in (tab, other):
            await expect(answers(one)).to_contain_text("to both")
        await bot.end(answer, "to both of you")
        for one in (tab, other):
            await expect(answers(one)).to_contain_text("to both of you")
        assert complaints(other) == []


async def test_files_go_up_and_come_down(page: WebPage, bot: Bot, chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.csv").write_text("a,b\n1,2\n")
    picture = tmp_path / "chart.png"
    async with a_tab(chromium, page) as tab:
        await tab.screenshot(path=picture, clip={"x": 0, "y": 0, "width": 60, "height": 40})
        await tab.get_by_label("Add files").set_input_files([str(tmp_path / "report.csv"), str(picture)])
        await expect(tab.locator(".upload progress")).to_have_count(0)
        await say(tab, "please look")
        event = await page.intake.wait_for(1)
        assert [(file.name, file.media_type) for file in event.files] == [
            ("report.csv", "text/csv"),
            ("chart.png", "image/png"),
        ]
        await expect(tab.locator(".message.person .picture img")).to_be_visible()
        out = tmp_path / "result.txt"
        out.write_text("the result")
        await bot.say(
            event, Reply(text="Here.", files=(OutFile(name="result ü.txt", path=out, media_type="text/plain"),))
        )
        async with tab.expect_download() as started:
            await answers(tab).get_by_role("link", name="result ü.txt").click()
        download = await started.value
        assert download.suggested_filename == "result ü.txt"
        await download.save_as(tmp_path / "saved.txt")
        assert (tmp_path / "saved.txt").read_text() == "the result"
        await tab.screenshot(path=SHOTS / "files.png")


async def test_a_file_that_is_too_large_says_so(page: WebPage, chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "big.bin").write_bytes(b"x" * 100_001)
    async with a_tab(chromium, page) as tab:
        await tab.get_by_label("Add files").set_input_files(str(tmp_path / "big.bin"))
        await expect(tab.locator(".upload .error")).to_contain_text("Larger than")
        await say(tab, "with it")
        await expect(tab.locator("#notice")).to_contain_text("could not be added")
        await tab.get_by_role("button", name="Remove big.bin").click()
        await say(tab, "without it")
        event = await page.intake.wait_for(1)
        assert event.files == ()


async def test_a_file_can_be_pasted_and_dropped(page: WebPage, chromium: Browser) -> None:
    transfer = (
        "(kind) => { const data = new DataTransfer();"
        " data.items.add(new File(['x'], kind + '.txt', { type: 'text/plain' }));"
        " const target = document.getElementById('text');"
        " const event = kind === 'pasted'"
        "   ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })"
        "   : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });"
        " target.dispatchEvent(event); }"
    )
    async with a_tab(chromium, page) as tab:
        await tab.evaluate(transfer, "pasted")
        await tab.evaluate(transfer, "dropped")
        await expect(tab.locator(".upload progress")).to_have_count(0)
        await tab.keyboard.press("Enter")
        event = await page.intake.wait_for(1)
        assert [file.name for file in event.files] == ["pasted.txt", "dropped.txt"]


async def test_cards_are_pressed_and_filled_in(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await say(tab, "deploy")
        event = await page.intake.wait_for(1)
        question = Card(
            text="Deploy **checkout** to production?",
            actions=(
                Action(label="Deploy", value="/approve 7", style=Style.PRIMARY),
                Action(label="Refuse", value="/refuse 7", style=Style.DANGER),
                Action(label="Why?", value="/why 7"),
            ),
        )
        form = Card(
            text="What shall I tell the team?",
            fields=(
                Field(
                    name="when",
                    label="When",
                    kind=FieldKind.CHOICE,
                    options=(Option(label="Now", value="now"), Option(label="Tomorrow", value="tomorrow")),
                ),
                Field(name="note", label="Note", kind=FieldKind.LONG_TEXT, required=False),
                Field(name="ping", label="Mention everybody on call", kind=FieldKind.CHECKBOX),
            ),
            actions=(
                Action(label="Send", value="/tell 7", style=Style.PRIMARY),
                Action(label="Cancel", value="/cancel 7"),
            ),
        )
        await bot.say(event, Reply(card=question))
        await bot.say(event, Reply(card=form))
        await tab.get_by_role("button", name="Refuse").click()
        click = await page.intake.wait_for(2)
        assert (click.kind, click.text) == (Kind.CLICK, "/refuse 7")
        await tab.get_by_label("When").select_option("tomorrow")
        await tab.get_by_label("Mention everybody on call").check()
        await tab.screenshot(path=SHOTS / "cards.png")
        await tab.get_by_role("button", name="Send", exact=True).first.click()
        sent = await page.intake.wait_for(3)
        assert (sent.kind, sent.text) == (Kind.FORM, "/tell 7\nwhen: tomorrow\nping: yes")
        await expect(tab.locator(".choice")).to_have_text(["Refuse", "Send: Tomorrow, yes"])


async def test_the_stop_button_says_stop(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await say(tab, "count to a million")
        answer = await bot.begin(await page.intake.wait_for(1))
        await tab.get_by_role("button", name="Stop the answer").click()
        stop = await page.intake.wait_for(2)
        assert (stop.kind, stop.text) == (Kind.CLICK, "/stop")
        await bot.end(answer, "Stopped at 12.")
        await expect(tab.get_by_role("button", name="Stop the answer")).to_be_hidden()


async def test_everything_works_with_the_keyboard(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        box = tab.get_by_role("combobox", name="Message")
        await expect(box).to_be_focused()
        await tab.keyboard.type("/mo")
        await expect(tab.get_by_role("option")).to_have_count(2)
        await tab.screenshot(path=SHOTS / "hints.png")
        await tab.keyboard.press("Escape")
        await expect(tab.locator("#hints")).to_be_hidden()
        await tab.keyboard.type("d")
        await tab.keyboard.press("ArrowDown")
        await tab.keyboard.press("ArrowUp")
        await tab.keyboard.press("Tab")
        await expect(box).to_have_value("/model ")
        await tab.keyboard.type("auto")
        await tab.keyboard.press("Shift+Enter")
        await tab.keyboard.type("second line")
        await tab.keyboard.press("Enter")
        event = await page.intake.wait_for(1)
        assert event.text == "/model auto\nsecond line"
        await bot.say(event, "Done.")
        await expect(answers(tab)).to_have_count(1)
        await expect(box).to_be_focused()
        order = []
        await tab.locator(".skip").focus()
        for _ in range(9):
            await tab.keyboard.press("Tab")
            order.append(
                await tab.evaluate(
                    "() => { const e = document.activeElement;"
                    " return e.getAttribute('aria-label') || e.textContent.trim(); }"
                )
            )
        assert order[0] == "New conversation"
        assert order.index("Sign out") < order.index("Messages") < order.index("Message")
        outlined = await tab.evaluate(
            "() => { const link = document.querySelector('.new'); link.focus();"
            " return getComputedStyle(link).outlineStyle; }"
        )
        assert outlined == "solid"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_fits_a_phone(page: WebPage, bot: Bot, chromium: Browser, scheme: Scheme) -> None:
    phone = {"width": 360, "height": 720}
    async with a_tab(chromium, page, viewport=phone, color_scheme=scheme, has_touch=True, is_mobile=True) as tab:
        await tab.get_by_role("combobox", name="Message").fill("What happened to last night's deploy?")
        await tab.get_by_role("button", name="Send", exact=True).click()
        event = await page.intake.wait_for(1)
        await bot.say(event, ANSWER + "\n" + "unbroken" * 60)
        await expect(answers(tab)).to_contain_text("Rolled back")
        assert not await is_wider_than_the_window(tab)
        await tab.screenshot(path=SHOTS / f"phone-{scheme}.png")
        await tab.get_by_role("button", name="Show the list of conversations").click()
        await expect(tab.get_by_role("link", name="What happened to last night's deploy?")).to_be_in_viewport()
        await tab.wait_for_function("() => document.getElementById('side').getAnimations().length === 0")
        await tab.screenshot(path=SHOTS / f"phone-list-{scheme}.png")
        await tab.keyboard.press("Escape")
        await expect(tab.get_by_role("link", name="New conversation")).to_be_hidden()


async def test_the_page_follows_only_a_reader_at_the_end(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await say(tab, "tell me much")
        event = await page.intake.wait_for(1)
        answer = await bot.begin(event)
        for count in (20, 40, 60):
            await bot.grow(answer, "\n\n".join(f"paragraph {number}" for number in range(count)))
            await expect(answers(tab)).to_contain_text(f"paragraph {count - 1}")
            assert await scroll_gap(tab) < 5
        await tab.locator("#scroller").evaluate("(element) => { element.scrollTop = 100; }")
        await expect(tab.get_by_role("button", name="Newest message")).to_be_visible()
        await bot.end(answer, "\n\n".join(f"paragraph {number}" for number in range(90)))
        await expect(answers(tab)).to_contain_text("paragraph 89")
        assert await tab.locator("#scroller").evaluate("(element) => element.scrollTop") == 100
        await tab.get_by_role("button", name="Newest message").click()
        assert await scroll_gap(tab) < 5


async def test_earlier_messages_come_when_asked_for(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await say(tab, "the very first")
        event = await page.intake.wait_for(1)
        for number in range(65):
            await bot.say(event, f"answer {number}.")
        await tab.reload()
        await expect(tab.get_by_text("the very first", exact=True).and_(tab.locator(".said"))).to_have_count(0)
        await tab.get_by_role("button", name="Show earlier messages").click()
        await expect(tab.locator(".said")).to_have_text(["the very first"])
        await expect(answers(tab)).to_have_count(65)
        texts = await answers(tab).locator(".content").all_inner_texts()
        assert texts == [f"answer {number}." for number in range(65)]


async def test_a_break_in_the_connection_loses_nothing(page: WebPage, bot: Bot, chromium: Browser) -> None:
    context = await chromium.new_context()
    tab = await new_tab(context)
    await tab.goto(f"{page.url}/?code={CODE}")
    await say(tab, "first")
    event = await page.intake.wait_for(1)
    await expect(tab.locator('.message.person[data-state="done"]')).to_have_count(1)
    await context.set_offline(True)
    await expect(tab.locator("#connection")).to_have_text("You are offline")
    await say(tab, "said while offline")
    await expect(tab.locator(".state")).to_contain_text("once you are online")
    await tab.screenshot(path=SHOTS / "offline.png")
    await bot.say(event, "answered while you were away")
    await context.set_offline(False)
    await expect(answers(tab)).to_contain_text("answered while you were away")
    assert (await page.intake.wait_for(2)).text == "said while offline"
    await expect(tab.locator('.message.person[data-state="done"]')).to_have_count(2)
    await expect(tab.locator("#connection")).to_have_text("")
    await context.close()


async def test_a_busy_database_delays_a_message_and_loses_none(page: WebPage, chromium: Browser) -> None:
    context = await chromium.new_context()
    tab = await new_tab(context)
    await tab.goto(f"{page.url}/?code={CODE}")
    page.intake.busy = 2
    await say(tab, "one")
    await say(tab, "two")
    await page.intake.wait_for(2)
    assert [event.text for event in page.intake.events] == ["one", "two"]
    await expect(tab.locator('.message.person[data-state="done"] .said')).to_have_text(["one", "two"])
    await context.close()


async def test_code_and_messages_can_be_copied(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page, permissions=["clipboard-read", "clipboard-write"]) as tab:
        await say(tab, "code please")
        await bot.say(await page.intake.wait_for(1), "Try **this**:\n\n```sh\nmake run\n```")
        await tab.get_by_role("button", name="Copy this code").click()
        await expect(tab.get_by_role("button", name="Copy this code")).to_have_text("Copied")
        assert await tab.evaluate("() => navigator.clipboard.readText()") == "make run\n"
        await tab.get_by_role("button", name="Copy this message").click()
        copied = "Try **this**:\n\n```sh\nmake run\n```"
        await expect(tab.get_by_role("button", name="Copy this message")).to_have_text("Copied")
        assert await tab.evaluate("() => navigator.clipboard.readText()") == copied


async def test_conversations_are_begun_and_switched(page: WebPage, bot: Bot, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await say(tab, "about apples")
        first = await page.intake.wait_for(1)
        await expect(tab.get_by_role("link", name="about apples")).to_be_visible()
        await tab.get_by_role("link", name="New conversation").click()
        await say(tab, "about pears")
        second = await page.intake.wait_for(2)
        assert first.room != second.room
        await expect(tab.locator("#conversations a")).to_have_text(["about pears", "about apples"])
        await tab.get_by_role("link", name="about apples").click()
        await expect(tab.locator(".said")).to_have_text(["about apples"])
        await expect(tab.get_by_role("heading", name="about apples")).to_be_visible()
        await bot.say(second, "about pears only")
        await bot.say(first, "about apples only")
        await expect(answers(tab)).to_have_count(1)


async def test_a_draft_survives_a_reload(page: WebPage, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await tab.get_by_role("combobox", name="Message").fill("half a thought")
        await tab.reload()
        await expect(tab.get_by_role("combobox", name="Message")).to_have_value("half a thought")


async def test_markup_in_words_stays_words(page: WebPage, bot: Bot, chromium: Browser) -> None:
    nasty = "<img src=x onerror=window.owned=1><b>bold</b>"
    async with a_tab(chromium, page) as tab:
        await say(tab, nasty)
        answer = await bot.begin(await page.intake.wait_for(1))
        await bot.grow(answer, nasty)
        await bot.end(answer, nasty)
        await expect(tab.locator(".said")).to_have_text(nasty)
        await expect(answers(tab).locator(".content")).to_have_text(nasty)
        assert await tab.evaluate("() => window.owned") is None


async def test_a_very_long_message_is_folded_and_unfolds(page: WebPage, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        await say(tab, "\n".join(f"line {number}" for number in range(200)))
        await page.intake.wait_for(1)
        said = tab.locator(".said")
        await expect(said).to_have_class(re.compile("folded"))
        await tab.get_by_role("button", name="Show all").click()
        await expect(said).not_to_have_class(re.compile("folded"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_wrong_code_is_refused_and_a_right_one_let_in(page: WebPage, chromium: Browser, scheme: Scheme) -> None:
    context = await chromium.new_context(color_scheme=scheme, viewport={"width": 900, "height": 700})
    tab = await new_tab(context)
    await tab.goto(page.url)
    await tab.get_by_label("Code").fill("guess")
    await tab.keyboard.press("Enter")
    await expect(tab.get_by_role("alert")).to_contain_text("wrong, used or too old")
    await tab.screenshot(path=SHOTS / f"sign-in-{scheme}.png")
    await tab.get_by_label("Code").fill(CODE)
    await tab.get_by_label("Your name").fill("Grace")
    await tab.get_by_role("button", name="Sign in").click()
    await expect(tab.get_by_role("heading", name="What shall we work on, Grace?")).to_be_visible()
    await tab.get_by_role("button", name="Sign out").click()
    await expect(tab.get_by_label("Code")).to_be_visible()
    await context.close()


async def test_a_forged_request_is_refused(page: WebPage, chromium: Browser) -> None:
    async with a_tab(chromium, page, code=SECOND_CODE) as tab:
        status = await tab.evaluate(
            "async () => (await fetch('/chat/' + document.body.dataset.conversation + '/messages',"
            " { method: 'POST', body: JSON.stringify({ key: 'forged-key', text: 'forged' }) })).status"
        )
        assert status == 403
        assert page.intake.events == []
        complaints(tab).clear()


async def test_the_policy_stops_scripts_that_are_not_ours(page: WebPage, chromium: Browser) -> None:
    async with a_tab(chromium, page) as tab:
        async with asyncio.timeout(10), tab.expect_console_message(lambda said: "Content Security Policy" in said.text):
            await tab.evaluate(
                "() => { const script = document.createElement('script');"
                " script.textContent = 'document.title = \"owned\"'; document.body.append(script); }"
            )
        assert "owned" not in await tab.title()
        complaints(tab).clear()
