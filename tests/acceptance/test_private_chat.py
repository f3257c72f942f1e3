"""A person and the bot alone."""

from __future__ import annotations

from bot.settings import Limits
from tests.acceptance.conftest import Build
from tests.support.house import House


async def test_an_answer_grows_in_one_message(house: House) -> None:
    ann = house.private()
    ann.say("tell me a story #long 60 #pace 0.05")
    growing = await ann.until(lambda: next((one for one in ann.messages if len(one.edits) >= 2), None))
    assert growing.edits[0] == "…"
    told = await ann.sees("word60")
    assert [message.id for message in ann.messages] == [growing.id]
    assert told.text == " ".join(f"word{number}" for number in range(1, 61))
    assert all(told.text.startswith(edit.rstrip("… ")) for edit in told.edits[1:])


async def test_k17_what_is_delivered_twice_is_answered_once(house: House) -> None:
    ann = house.private()
    await ann.asks("once", "answer to once")
    house.simulator.bot().updates.redeliver()
    await ann.asks("then", "answer to then")
    await house.quiet()
    assert ann.texts == ["answer to once", "answer to then"]
    assert await house.rows("SELECT count(*) FROM run") == [(2,)]


async def test_busy_never_means_lost(house: House) -> None:
    ann = house.private()
    ann.say("the first one takes its time #delay 10")
    await ann.shows(1)
    for number in range(1, 21):
        ann.say(f"message {number:02}.")
    await ann.sees("answer to the first one takes its time")
    await ann.sees("message 20.")
    await house.quiet()
    # Messages that waited may be answered together; the model is shown every one of them, in order.
    heard = await house.heard()
    places = [heard.find(f"message {number:02}.") for number in range(1, 21)]
    assert -1 not in places
    assert places == sorted(places)
    assert await house.rows("SELECT count(*) FROM run WHERE outcome <> 'success'") == [(0,)]
    assert await house.rows("SELECT count(*) FROM inbox WHERE run_id IS NULL") == [(0,)]


async def test_others_are_answered_while_one_run_is_slow(house: House) -> None:
    ann, bob = house.private("Ann"), house.private("Bob")
    ann.say("slowly #delay 60")
    await ann.shows(1)
    await bob.asks("quickly", "answer to quickly")
    assert ann.texts == ["…"]
    assert "I stop" in (await ann.asks("/stop", "I stop what I was doing")).text


async def test_b11_a_final_text_that_stands_already_is_no_failure(house: House) -> None:
    ann = house.private()
    house.simulator.faults.refuse(
        "editMessageText",
        "message is not modified: specified new message content and reply markup are exactly the same",
        times=None,
        when=lambda call: call.params.get("text") == "Hello",
    )
    ann.say("#say Hello")
    await house.simulator.calls.wait(lambda call: call.method == "editMessageText" and call.fault == "refuse")
    house.simulator.faults.clear()
    await ann.asks("and you?", "answer to and you?")
    await house.quiet()
    assert len(ann.messages) == 2
    assert await house.rows("SELECT DISTINCT status FROM outbox") == [("sent",)]


async def test_k16_a_visible_answer_has_its_whole_record(house: House) -> None:
    ann = house.private()
    await ann.asks('#tool calculate {"expression": "6*7"} what is it?', "42")
    # The answer stands: the record was committed before it, in one piece.
    found = await house.rows(
        "SELECT r.status, r.outcome, (SELECT count(*) FROM usage u WHERE u.run_id = r.id),"
        " (SELECT count(*) FROM outbox o WHERE o.run_id = r.id AND o.body IS NOT NULL),"
        " (SELECT count(*) FROM decision d WHERE d.run_id = r.id) > 0 FROM run r"
    )
    assert found == [("done", "success", 2, 1, 1)]


async def test_k18_what_is_stopped_before_it_begins_never_asks_the_model(build: Build) -> None:
    house = await build(limits=Limits(runs_at_once=1, messages_per_minute=1000))
    ann, bob = house.private("Ann"), house.private("Bob")
    ann.say("the only place is taken #delay 600")
    await ann.shows(1)
    bob.say("never begun")
    await bob.asks("/stop", "I cancelled 1 request that was waiting")
    await ann.asks("/stop", "I stop what I was doing")
    await bob.asks("after it", "answer to after it")
    await house.quiet()
    outcomes = await house.rows("SELECT room_key LIKE :bob, outcome FROM run ORDER BY id", bob=f"%/{bob.person.id}/")
    assert outcomes == [(0, "cancelled"), (1, "cancelled"), (1, "success")]
    assert not any("answer to never begun" in text for text in bob.texts)
    assert await house.rows("SELECT count(*) FROM usage WHERE tokens_in > 0") == [(1,)]
