"""The bot ends, in peace or not, and starts again."""

from __future__ import annotations

from adapters.telegram.simulator.chat import Chat
from tests.support.house import House


async def test_b30_nothing_is_run_twice_and_nothing_is_missed(house: House) -> None:
    ann = house.private()
    await ann.asks("the first", "answer to the first")
    await house.drop()
    ann.say("the second")
    queue = house.simulator.bot().updates
    queue.redeliver()
    assert [update["update_id"] for update in queue.made] == [9001, 9002]
    await house.start()
    await ann.sees("answer to the second")
    await house.quiet()
    assert ann.texts == ["answer to the first", "answer to the second"]
    assert await house.rows("SELECT count(*) FROM run") == [(2,)]
    await house.restart()
    await ann.asks("the third", "answer to the third")
    assert len(ann.messages) == 3
    assert all("drop_pending_updates" not in call.params for call in house.simulator.calls.of("deleteWebhook"))


async def test_killed_in_the_middle_of_an_answer(house: House) -> None:
    ann = house.private()
    ann.say("a long one #long 60 #pace 0.2")
    await ann.until(lambda: [one for one in ann.messages if "word5" in one.text])
    await house.drop()
    assert "word60" not in ann.last.text
    await house.start()
    await ann.sees("word60")
    await house.quiet()
    assert ann.texts == [" ".join(f"word{number}" for number in range(1, 61))]
    assert await house.rows("SELECT status, outcome FROM run") == [("done", "success")]


async def test_what_was_said_meanwhile_keeps_its_order(house: House) -> None:
    ann = house.private()
    ann.say("one #delay 5")
    await ann.shows(1)
    ann.say("two")
    await house.drop()
    ann.say("three")
    await house.start()
    await ann.sees("three")
    await house.quiet()
    heard = await house.heard()
    assert 0 <= heard.find("one") < heard.find("two") < heard.find("three")
    assert await house.rows("SELECT count(*) FROM inbox WHERE run_id IS NULL") == [(0,)]


async def test_a_person_blocks_the_bot_and_comes_back(house: House) -> None:
    ann, bob = house.private("Ann"), house.private("Bob")
    ann.say("wait for it #delay 5")
    await ann.shows(1)
    assert isinstance(ann.scene, Chat)
    house.simulator.block(ann.scene)
    await bob.asks("still well?", "answer to still well?")
    await house.quiet()
    house.simulator.unblock(ann.scene)
    await ann.asks("back again", "answer to back again")


async def test_the_conversation_is_remembered_over_a_restart(house: House) -> None:
    ann = house.private()
    await ann.asks("first words", "answer to first words")
    await house.quiet()
    await house.restart()
    await ann.asks("/status", "Conversation 1, 2 entries long")
