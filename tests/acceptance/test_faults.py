"""The platform slows down, breaks off, refuses."""

from __future__ import annotations

import pytest

from adapters._shared.simulator.calls import RecordedCall
from tests.support.house import House


def to(house: House, chat: int) -> list[RecordedCall]:
    return [call for call in house.simulator.calls.all if call.chat == str(chat)]


async def test_b12_a_pause_that_the_platform_asks_for_is_kept_and_the_tail_arrives(house: House) -> None:
    ann, bob = house.private("Ann"), house.private("Bob")
    house.simulator.faults.too_fast("editMessageText", retry_after=7, nth=3, chat=str(ann.person.id))
    ann.say("#long 50 #pace 0.1")
    slowed = await house.simulator.calls.wait(lambda call: call.fault == "refuse")
    await bob.asks("not paused", "answer to not paused")
    assert house.clock.monotonic() < slowed.at + 7
    await ann.sees("word50")
    await house.quiet()
    later = [call.at for call in to(house, ann.person.id) if call.at > slowed.at]
    assert min(later) >= slowed.at + 7
    assert ann.texts == [" ".join(f"word{number}" for number in range(1, 51))]


async def test_many_people_at_once_meet_no_limit(house: House) -> None:
    rooms = [house.private(f"Person {number}") for number in range(30)]
    for room in rooms:
        room.say("hello #long 20 #pace 0.2")
    for room in rooms:
        await room.sees("word20")
    await house.quiet()
    # The clock of stories runs ten times as fast, so a moment in which the machine does something else counts tenfold.
    assert sum(call.status == 429 for call in house.simulator.calls.all) <= 5


@pytest.mark.parametrize("method", ["sendMessage", "editMessageText"])
async def test_an_answer_of_the_platform_that_was_lost_doubles_no_answer(house: House, method: str) -> None:
    ann = house.private()
    house.simulator.faults.lose_answer(method)
    ann.say("just once")
    await ann.sees("answer to just once")
    await house.quiet()
    assert [text for text in ann.texts if text != "…"] == ["answer to just once"]
    assert len(ann.messages) <= 2


@pytest.mark.parametrize("method", ["sendMessage", "editMessageText"])
@pytest.mark.parametrize("kind", ["server_error", "drop"])
async def test_what_the_platform_did_not_take_is_sent_again(house: House, method: str, kind: str) -> None:
    ann = house.private()
    getattr(house.simulator.faults, kind)(method, times=2)
    ann.say("in spite of it")
    await ann.sees("answer to in spite of it")
    await house.quiet()
    assert [text for text in ann.texts if text != "…"] == ["answer to in spite of it"]


async def test_polling_survives_whatever_the_platform_does(house: House) -> None:
    queue, faults = house.simulator.bot().updates, house.simulator.faults
    faults.server_error("getUpdates", times=2)
    faults.drop("getUpdates")
    faults.too_fast("getUpdates", retry_after=3)
    queue.disconnect()
    ann = house.private()
    await ann.asks("after all that", "answer to after all that")
    assert faults.plan.pending == ()
    assert "polling_failed" in house.records


async def test_b07_unknown_tags_are_text_and_a_parse_error_costs_only_the_formatting(house: House) -> None:
    ann = house.private()
    house.simulator.faults.cannot_parse("editMessageText", when=lambda call: "pass" in call.params.get("text", ""))
    ann.say("#say **if** a < b && c > d, pass <name>; line one<br>line two")
    shown = await ann.sees("line two")
    await house.quiet()
    assert "if" in shown.text
    assert "a < b && c > d, pass <name>; line one" in shown.text
    assert house.simulator.faults.plan.pending == ()
    assert len(ann.messages) == 1
    await ann.asks("go on", "answer to go on")


async def test_a_room_is_told_when_a_message_can_not_be_shown_at_all(house: House) -> None:
    ann = house.private()
    house.simulator.faults.refuse(
        "editMessageText", "some new rule", times=None, when=lambda call: "forbidden" in call.params.get("text", "")
    )
    ann.say("#say the forbidden word")
    await ann.sees("I could not show one message here")
    await house.quiet()
    assert "delivery_dead" in house.records
    assert 'deckhand_failed_total{kind="dead",platform="telegram"} 1.0' in (await house.get("/metrics"))[1]
