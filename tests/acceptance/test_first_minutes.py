"""A fresh installation: nobody may speak until the one-time code was shown."""

from __future__ import annotations

from bot.settings import Access, Limits
from tests.acceptance.conftest import Build
from tests.acceptance.page import talk


async def test_the_code_makes_the_first_administrator_by_telegram(build: Build) -> None:
    house = await build(access=Access())
    ann, bob = house.private("Ann"), house.private("Bob")
    await ann.asks("hello", "I have no administrator yet")
    await ann.asks("/connect not-the-code", "That is not the code")
    await ann.asks(f"/connect {house.codes[0]}", "You are my administrator now")
    await ann.asks("hello again", "answer to hello again")
    await bob.asks(f"/connect {house.codes[0]}", "That code is wrong, used up or too old")
    assert await house.rows("SELECT role FROM person ORDER BY id") == [(4,)]
    assert house.codes[0] not in house.records
    await house.restart()
    assert house.bot.first_code is None


async def test_a_stranger_is_refused_once_in_words(build: Build) -> None:
    house = await build(access=Access())
    ann, eve = house.private("Ann"), house.private("Eve")
    await ann.asks(house.codes[0], "You are my administrator now")
    await eve.asks("let me in", "I am not allowed to talk to you yet")
    eve.say("please")
    eve.say("/status")
    await ann.asks("all quiet?", "answer to all quiet?")
    await house.quiet()
    assert len(eve.messages) == 1
    assert await house.rows("SELECT count(*) FROM run") == [(1,)]


async def test_a_group_of_strangers_hears_one_refusal(build: Build) -> None:
    house = await build(access=Access())
    ann = house.private("Ann")
    await ann.asks(f"/connect {house.codes[0]}", "You are my administrator now")
    chat = house.simulator.group("Strangers", [house.person("Eve")])
    house.at(chat, "Eve").say("just talk")
    await house.at(chat, "Eve").asks("@deckhand_bot hello", "I am not allowed to talk to you yet")
    await ann.asks("still fine?", "answer to still fine?")
    await house.quiet()
    assert len(house.at(chat).messages) == 1


async def test_the_code_makes_the_first_administrator_on_the_page(build: Build) -> None:
    house = await build(access=Access())
    async with house.browser() as stranger:
        async with stranger.session.get("/", params={"code": "wrong"}) as response:
            assert response.status == 403
            assert "This code is wrong" in await response.text()
        async with stranger.session.get("/chat/a-conversation-0001") as response:
            assert "data-conversation" not in await response.text()
    async with talk(house) as page:
        await page.asks("hello", "answer to hello")
        await house.quiet()
    assert await house.rows("SELECT role FROM person") == [(4,)]
    async with house.browser() as late, late.session.get("/", params={"code": house.codes[0]}) as response:
        assert response.status == 403


async def test_a_day_whose_money_is_spent_starts_nothing_new(build: Build) -> None:
    house = await build(limits=Limits(usd_per_day=0.001, messages_per_minute=1000))
    ann = house.private()
    await ann.asks("the first is allowed", "answer to the first is allowed")
    await house.quiet()
    calls = await house.rows("SELECT count(*) FROM usage")
    await ann.asks("the second is not", "I have spent what I may spend in one day")
    await house.quiet()
    assert await house.rows("SELECT count(*) FROM usage WHERE tokens_in > 0") == calls
    assert not any("answer to the second" in text for text in ann.texts)
    await ann.asks("/usage", "Cost")


async def test_over_the_rate_means_later_with_one_notice(build: Build) -> None:
    house = await build(limits=Limits(messages_per_minute=3))
    ann = house.private()
    for number in range(6):
        ann.say(f"number {number}.")
    await ann.sees("nothing is lost")
    await ann.sees("number 5.")
    await house.quiet()
    assert sum("nothing is lost" in text for text in ann.texts) == 1
