"""The transcript behind the page, on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.errors import NotAllowed
from bot.transcript import Filling, Message, Moment, Session, Side, Since, StoredFile, Window, Writing
from storage.database import Database
from storage.page import Pages

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
async def pages(database: Database) -> Pages:
    await database.migrate()
    return Pages(database)


def a_writing(key: str = "k1", conversation: str = "c1", account: str = "p1", **changes: Any) -> Writing:
    writing = Writing(
        conversation=conversation, account=account, key=key, body={"text": key}, now=NOON, title=f"title of {key}"
    )
    return replace(writing, **changes)


async def posted(pages: Pages, key: str, **changes: Any) -> Message:
    message = await pages.post(a_writing(key, **changes))
    assert message is not None
    return message


async def test_a_first_message_opens_its_conversation_and_names_it(pages: Pages) -> None:
    message = await pages.say(a_writing("k1"))
    await pages.say(a_writing("k2"))
    assert (message.side, message.change, message.title, message.at) == (Side.PERSON, 1, "title of k1", NOON)
    (conversation,) = await pages.conversations("p1")
    assert (conversation.title, conversation.change) == ("title of k1", 2)
    assert await pages.conversations("p2") == ()


async def test_a_key_is_written_once(pages: Pages) -> None:
    first = await pages.say(a_writing())
    assert await pages.say(a_writing(body={"text": "other"})) == first
    other = await pages.say(a_writing(conversation="c2"))
    assert other.id != first.id


async def test_somebody_elses_conversation_is_refused(pages: Pages) -> None:
    await pages.say(a_writing())
    with pytest.raises(NotAllowed):
        await pages.say(a_writing("k2", account="p2"))


async def test_the_bot_posts_only_where_there_is_a_conversation(pages: Pages) -> None:
    assert await pages.post(a_writing()) is None
    await pages.say(a_writing())
    first = await posted(pages, "run:1")
    assert (first.side, first.change) == (Side.BOT, 2)
    assert await posted(pages, "run:1") == first
    again = await posted(pages, "run:1", body={"text": "other"})
    assert (again.id, again.change, again.body) == (first.id, 3, {"text": "other"})


async def test_a_fill_is_one_change_and_its_repetition_none(pages: Pages) -> None:
    await pages.say(a_writing())
    message = await posted(pages, "run:1")
    filling = Filling(conversation="c1", message_id=message.id, body={"html": "x"}, now=NOON)
    filled = await pages.fill(filling)
    assert filled is not None
    assert (filled.body, filled.change) == ({"html": "x"}, 3)
    assert await pages.fill(filling) == filled


async def test_what_a_person_said_is_never_filled(pages: Pages) -> None:
    message = await pages.say(a_writing())
    assert await pages.fill(Filling(conversation="c1", message_id=message.id, body={}, now=NOON)) is None
    assert await pages.fill(Filling(conversation="c1", message_id=999, body={}, now=NOON)) is None


async def test_a_message_taken_back_is_a_change_and_gone(pages: Pages) -> None:
    await pages.say(a_writing())
    message = await posted(pages, "run:1")
    back = Filling(conversation="c1", message_id=message.id, body=None, now=NOON)
    assert (await pages.fill(back)) is not None
    (change,) = await pages.changes_since(Since(conversation="c1", change=2, limit=9))
    assert (change.id, change.removed, change.body) == (message.id, True, {})
    assert await pages.fill(back) is None
    assert await pages.find("c1", "run:1") is None
    assert [one.key for one in (await pages.history(Window(conversation="c1", limit=9))).messages] == ["k1"]


async def test_changes_come_in_order_each_message_as_it_stands_now(pages: Pages) -> None:
    await pages.say(a_writing("k1"))
    first = await posted(pages, "run:1")
    await posted(pages, "run:2")
    await pages.fill(Filling(conversation="c1", message_id=first.id, body={"html": "late"}, now=NOON))
    changes = await pages.changes_since(Since(conversation="c1", change=1, limit=9))
    assert [(change.key, change.change) for change in changes] == [("run:2", 3), ("run:1", 4)]
    limited = await pages.changes_since(Since(conversation="c1", change=0, limit=1))
    assert [change.key for change in limited] == ["k1"]


async def test_changes_made_at_once_get_a_number_each(pages: Pages) -> None:
    await pages.say(a_writing())
    await asyncio.gather(*(pages.say(a_writing(f"k{number}")) for number in range(2, 30)))
    changes = await pages.changes_since(Since(conversation="c1", change=0, limit=99))
    assert [change.change for change in changes] == list(range(1, 30))
    assert await pages.newest_changes(["c1", "unknown"]) == {"c1": 29}


async def test_the_same_key_said_at_once_is_one_message(pages: Pages) -> None:
    messages = await asyncio.gather(*(pages.say(a_writing()) for _ in range(8)))
    assert len({message.id for message in messages}) == 1


async def test_history_is_read_backwards_in_windows(pages: Pages) -> None:
    for number in range(5):
        await pages.say(a_writing(f"k{number}"))
    newest = await pages.history(Window(conversation="c1", limit=2))
    assert ([one.key for one in newest.messages], newest.change, newest.more) == (["k3", "k4"], 5, True)
    rest = await pages.history(Window(conversation="c1", limit=3, before=newest.messages[0].id))
    assert ([one.key for one in rest.messages], rest.more) == (["k0", "k1", "k2"], False)
    nothing = await pages.history(Window(conversation="unknown", limit=3))
    assert (nothing.messages, nothing.change, nothing.more) == ((), 0, False)


async def test_what_was_said_waits_until_intake_took_it(pages: Pages) -> None:
    first = await pages.say(a_writing("k1"))
    other = await pages.say(a_writing("k1", conversation="c2"))
    await posted(pages, "run:1")
    assert [one.id for one in await pages.waiting(None)] == [first.id, other.id]
    assert [one.id for one in await pages.waiting("c1")] == [first.id]
    await pages.taken([first.id])
    assert [one.id for one in await pages.waiting(None)] == [other.id]


async def test_the_newest_conversation_is_listed_first(pages: Pages) -> None:
    for number, conversation in enumerate(("c1", "c2", "c3")):
        await pages.say(a_writing(conversation=conversation, now=NOON + timedelta(minutes=number)))
    await pages.say(a_writing("k2", conversation="c1", now=NOON + timedelta(hours=1)))
    assert [one.id for one in await pages.conversations("p1")] == ["c1", "c3", "c2"]


async def test_only_files_that_no_message_carries_are_forgotten(pages: Pages) -> None:
    file = StoredFile(id="f1", account="p1", name="a.txt", media_type="text/plain", size=3_000_000_000, at=NOON)
    for one in (file, replace(file, id="f2"), replace(file, id="f3", at=NOON + timedelta(days=1))):
        await pages.keep_file(one)
    await pages.keep_file(replace(file, name="second try"))
    await pages.say(a_writing(files=("f1",)))
    assert await pages.file("f1") == file
    assert await pages.forget_files(NOON + timedelta(hours=1)) == ("f2",)
    assert await pages.file("f2") is None
    assert await pages.file("f3") is not None


async def test_a_file_is_attached_by_its_owner_only(pages: Pages) -> None:
    file = StoredFile(id="f1", account="p2", name="a.txt", media_type="text/plain", size=1, at=NOON)
    await pages.keep_file(file)
    await pages.say(a_writing(files=("f1",)))
    assert await pages.forget_files(NOON + timedelta(hours=1)) == ("f1",)


async def test_a_session_lasts_until_its_end_or_the_sign_out(pages: Pages) -> None:
    session = Session(token_hash="h1", account="p1", name="Ada", expires_at=NOON)
    await pages.sign_in(session)
    await pages.sign_in(replace(session, token_hash="h2", expires_at=NOON + timedelta(days=1)))
    before, after = NOON - timedelta(seconds=1), NOON + timedelta(seconds=1)
    assert await pages.session(Moment(id="h1", now=before)) == session
    assert await pages.session(Moment(id="h1", now=after)) is None
    await pages.sign_out(Moment(id="h2", now=after))
    assert await pages.session(Moment(id="h2", now=before)) is None
    assert await pages.session(Moment(id="h1", now=before)) is None
