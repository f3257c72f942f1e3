"""Control words, on Telegram and on the page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.settings import AgentSettings
from tests.acceptance.conftest import Build
from tests.acceptance.page import talk
from tests.support.house import House, scripted

NAMES = {"new", "status", "models", "model", "help", "stop", "retry", "usage"}


@pytest.fixture
async def house(build: Build) -> House:
    return await build(profiles=(scripted(), replace(scripted(), name="second", title="The second")))


async def test_the_menu_of_the_platform_comes_from_our_commands(house: House) -> None:
    await house.simulator.calls.wait(lambda call: call.method == "setMyCommands" and call.status == 200)
    (menu,) = house.simulator.bot().commands.values()
    assert {entry["command"] for entry in menu} >= NAMES
    assert {entry["command"] for entry in menu} == set(await _said_by_help(house))


async def _said_by_help(house: House) -> list[str]:
    text = (await house.private().asks("/help", "/status")).text
    return [line.split("/")[1].split()[0].rstrip(":") for line in text.splitlines() if "/" in line and ":" in line]


async def test_every_command_answers_by_telegram(house: House) -> None:
    ann = house.private()
    await ann.asks("hello there", "answer to hello there")
    await ann.asks("/status", "I am idle here")
    await ann.asks("/models", "The second")
    await ann.asks("/usage", "Tokens in")
    await ann.asks("/stop", "Nothing is running here")
    await ann.asks("/new", "This is a new conversation")
    await ann.asks("/help", "/retry")
    await ann.asks("/stattus", "answer to /stattus")
    await house.quiet()
    assert await house.rows("SELECT DISTINCT status FROM outbox") == [("sent",)]


async def test_a_model_is_chosen_by_button_and_by_word(house: House) -> None:
    ann = house.private()
    ann.say("/model")
    card = await ann.until(lambda: next((one for one in ann.messages if one.buttons), None))
    label = next(label for label in card.buttons if "second" in label.lower())
    await ann.press(label)
    await ann.sees("From now on this conversation uses second")
    await ann.asks("who answers?", "answer to who answers?")
    await house.quiet()
    assert await house.rows("SELECT model FROM usage") == [("second",)]
    await ann.asks("/model auto", "uses the agent's own model again")
    await ann.asks("/model secnd", "Did you mean second")


async def test_stop_while_a_run_is_busy_and_retry_after_it(house: House) -> None:
    ann = house.private()
    ann.say("a slow one #long 30 #pace 10")
    await ann.shows(1)
    await ann.asks("/status", "I have been working here")
    await ann.asks("/stop", "I stop what I was doing here")
    await ann.sees("(stopped)")
    await house.quiet()
    assert await house.rows("SELECT outcome FROM run") == [("cancelled",)]
    await ann.asks("something quick", "answer to something quick")
    await house.quiet()
    ann.say("/retry")
    await ann.until(lambda: len([text for text in ann.texts if "answer to something quick" in text]) == 2)


async def test_a_new_conversation_forgets_the_old_one(house: House) -> None:
    ann = house.private()
    await ann.asks("remember me", "answer to remember me")
    await ann.asks("/new", "This is a new conversation")
    await ann.asks("/status", "0 entries long")
    await ann.asks("hello again", "answer to hello again")
    await house.quiet()
    assert await house.rows("SELECT count(DISTINCT thread_id) FROM run WHERE command = ''") == [(2,)]


async def test_every_command_answers_on_the_page(house: House) -> None:
    async with talk(house) as page:
        await page.asks("hello there", "answer to hello there")
        await page.asks("/status", "I am idle here")
        await page.asks("/models", "The second")
        await page.asks("/model second", "From now on this conversation uses second")
        await page.asks("/usage", "Tokens in")
        await page.asks("/stop", "Nothing is running here")
        await page.asks("/help", "/retry")
        await page.asks("/new", "This is a new conversation")


async def test_the_agents_own_model_is_told_as_the_default_and_answers(build: Build) -> None:
    house = await build(
        profiles=(scripted(), replace(scripted(), name="second", title="The second")),
        agents={"default": AgentSettings(name="default", model="second")},
    )
    ann = house.private()
    await ann.asks("/status", "Model: second (the default).")
    await ann.asks("who answers?", "answer to who answers?")
    await house.quiet()
    assert await house.rows("SELECT model FROM usage") == [("second",)]
