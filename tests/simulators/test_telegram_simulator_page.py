"""The page in a real browser, with the real client as the bot behind it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import pytest
import telegram
from playwright.async_api import Page, async_playwright, expect
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from adapters.telegram.simulator import TelegramSimulator
from adapters.telegram.simulator.trial import furnish
from tests.support.pictures import png

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="NOT RUN: the browser test needs chromium on the PATH")


@pytest.fixture
async def page(sim: TelegramSimulator) -> AsyncIterator[Page]:
    furnish(sim)
    complaints: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        opened = await browser.new_page(viewport={"width": 1100, "height": 800})
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        await opened.goto(sim.url)
        yield opened
        await browser.close()
    assert complaints == []


async def test_a_person_talks_with_the_bot(sim: TelegramSimulator, bot: telegram.Bot, page: Page) -> None:
    ann = sim.person("Ann")
    await page.get_by_role("button", name="Ann and the bot").click()
    await page.get_by_label("Message", exact=True).fill("hello <b>you</b>")
    await page.keyboard.press("Enter")
    [update] = await bot.get_updates(timeout=10)
    assert update.message is not None and update.message.text == "hello <b>you</b>"
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Approve", callback_data="yes")]])
    sent = await update.message.reply_text("<b>May</b> I <code>rm</code>?", parse_mode="HTML", reply_markup=keyboard)
    await expect(page.locator("article b", has_text="May")).to_be_visible()
    await expect(page.locator("article code")).to_have_text("rm")
    await page.get_by_role("button", name="Approve").click()
    [press] = await bot.get_updates(offset=update.update_id + 1, timeout=10)
    assert press.callback_query is not None and press.callback_query.from_user.id == ann.id
    await press.callback_query.answer("noted")
    await expect(page.locator("#toast")).to_have_text("noted")
    await bot.edit_message_text("Done.", ann.id, sent.message_id)
    await expect(page.locator(".keyboard")).to_have_count(0)
    await bot.send_photo(ann.id, png(), caption="a picture")
    await expect(page.locator("img.picture")).to_be_visible()


async def test_several_people_talk_in_a_group(sim: TelegramSimulator, bot: telegram.Bot, page: Page) -> None:
    await page.get_by_role("button", name="Launch team").click()
    await page.get_by_label("Speak as").select_option("Bob")
    await page.get_by_label("Message", exact=True).fill("as Bob")
    await page.keyboard.press("Enter")
    [update] = await bot.get_updates(timeout=10)
    assert update.message is not None and update.message.from_user is not None
    assert update.message.from_user.first_name == "Bob"
    await page.get_by_role("button", name="Operations").click()
    await page.get_by_role("button", name="Deploys").click()
    await page.get_by_label("Message", exact=True).fill("in the topic")
    await page.keyboard.press("Enter")
    updates = await bot.get_updates(offset=update.update_id + 1, timeout=10)
    assert updates[0].message is not None and updates[0].message.is_topic_message


async def test_files_go_up_from_the_page(sim: TelegramSimulator, bot: telegram.Bot, page: Page) -> None:
    await page.get_by_role("button", name="Ann and the bot").click()
    await page.locator("#files").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"text"})
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator(".file")).to_contain_text("a.txt")
    updates = await bot.get_updates(timeout=10)
    assert updates[0].message is not None and updates[0].message.document is not None
    assert updates[0].message.document.file_name == "a.txt"


async def test_a_phone_shows_one_thing_at_a_time(sim: TelegramSimulator, page: Page) -> None:
    await page.set_viewport_size({"width": 390, "height": 800})
    await page.get_by_role("button", name="Launch team").click()
    await expect(page.locator(".side")).to_be_hidden()
    await page.get_by_role("button", name="Back to the chats").click()
    await expect(page.locator(".side")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
