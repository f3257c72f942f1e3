"""What nobody should send, and a database that is full or locked: told, logged, counted; nothing accepted is lost."""

from __future__ import annotations

import sqlite3
from typing import Any

import sqlalchemy as sa

from adapters.telegram.simulator.chat import Chat
from tests.support.house import House
from tests.support.room import Room
from tests.support.until import until


def chat_of(ann: Room) -> Chat:
    assert isinstance(ann.scene, Chat)
    return ann.scene


def push_raw(house: House, kind: str, body: Any) -> None:
    """Deliver an update that the platform would never make; its judge is not asked about it."""
    queue = house.simulator.bot().updates
    queue.push(kind, body)
    queue.made.pop()
    house.lies = True


async def test_a_malformed_update_in_the_middle_of_a_batch(house: House) -> None:
    ann, bob = house.private("Ann"), house.private("Bob")
    queue = house.simulator.bot().updates
    queue.hold()
    ann.say("before it")
    bodies: tuple[Any, ...] = (
        {"message_id": "x", "chat": []},
        [],
        {"message_id": 1},
        {"message_id": 2, "chat": {"id": None}, "text": 5},
    )
    for body in bodies:
        push_raw(house, "message", body)
    push_raw(house, "callback_query", {"id": 7})
    bob.say("behind it")
    queue.release()
    await ann.sees("answer to before it")
    await bob.sees("answer to behind it")
    assert "update_skipped" in house.records
    assert "malformed" in house.records
    await ann.asks("and on", "answer to and on")
    assert 'deckhand_malformed_total{platform="telegram"}' in (await house.get("/metrics"))[1]


async def test_a_button_that_nobody_knows(house: House) -> None:
    ann = house.private()
    ann.say("/model")
    card = await ann.until(lambda: next((one for one in ann.messages if one.buttons), None))
    chat = chat_of(ann)
    message = chat.messages[int(card.id)]
    assert message.markup is not None
    for row in message.markup["inline_keyboard"]:
        row[0]["callback_data"] = "/no-such-word 42"
    await ann.press(card.buttons[0])
    await ann.asks("still well?", "answer to still well?")
    await house.quiet()
    assert "event_failed" not in house.records
    assert await house.rows("SELECT count(*) FROM outbox WHERE status <> 'sent'") == [(0,)]


async def test_a_press_on_a_message_that_is_gone(house: House) -> None:
    ann = house.private()
    ann.say("/model")
    card = await ann.until(lambda: next((one for one in ann.messages if one.buttons), None))
    chat = chat_of(ann)
    label = card.buttons[-1]
    message = chat.messages[int(card.id)]
    press = chat.click(ann.person, message, label)
    chat.delete(message)
    await ann.until(lambda: press.answer is not None)
    await ann.asks("still well?", "answer to still well?")


async def test_b45_a_locked_database_loses_nothing(house: House) -> None:
    rooms = [house.private(f"Person {number}") for number in range(20)]
    other = sqlite3.connect(house.home / "deckhand.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        for number, room in enumerate(rooms):
            room.say(f"message {number}")
        # Two seconds of the world outside, not of the bot's hurried clock.
        await house.clock.sleep(20)
        assert (await house.get("/healthz"))[0] == 200
        assert not any(room.messages for room in rooms)
    finally:
        other.execute("ROLLBACK")
        other.close()
    for number, room in enumerate(rooms):
        await room.sees(f"answer to message {number}")
    await house.quiet()
    assert all(len(room.messages) == 1 for room in rooms)
    assert "OperationalError" not in house.records


def _room_for(connection: sa.Connection, pages: int) -> int:
    used = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
    most = used if pages == 0 else used + pages
    return int(connection.exec_driver_sql(f"PRAGMA max_page_count = {most}").scalar_one())


async def test_a_full_disk_loses_nothing(house: House) -> None:
    ann = house.private()
    await ann.asks("hello", "answer to hello")
    await house.quiet()
    await house.bot.storage.database.write(_room_for, 0)
    ann.say("#say it was kept " + "x" * 3000)
    ann.say("small talk " + "y" * 3000)
    await until(lambda: "updates_not_stored" in house.records)
    assert "full" in house.records
    assert len(ann.messages) == 1
    assert (await house.get("/healthz"))[0] == 200
    await house.bot.storage.database.write(_room_for, 100_000)
    await ann.sees("it was kept")
    await ann.sees("small talk")
    await house.quiet()
    heard = await house.heard()
    assert 0 <= heard.find("it was kept") < heard.find("small talk")
    assert await house.rows("SELECT count(*) FROM outbox WHERE status <> 'sent'") == [(0,)]


async def test_strange_text_is_answered(house: House) -> None:
    ann = house.private()
    strange = ("\u202e\u200b\u200b", "a\x00b", "𝔘𝔫𝔦" * 500, "/", "@", "\ud7ff\ue000", "[](", "`" * 50)
    for number, text in enumerate(strange):
        ann.say(f"{number}: {text}")
    await ann.sees("7: ")
    await house.quiet()
    assert "event_failed" not in house.records
    assert await house.rows("SELECT count(*) FROM outbox WHERE status <> 'sent'") == [(0,)]
