"""Groups, forums, and who is meant."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.telegram.simulator.chat import Chat
from bot.settings import Access
from tests.acceptance.conftest import Build
from tests.support.house import House

OTHER_BOT = {"id": 800000002, "is_bot": True, "first_name": "Other", "username": "other_bot"}


def a_group(house: House) -> Chat:
    return house.simulator.group("Launch crew", [house.person("Ann"), house.person("Bob")])


def sends(house: House, chat: Chat) -> list[dict[str, Any]]:
    return [call.params for call in house.simulator.calls.of("sendMessage") if call.chat == str(chat.id)]


async def test_talk_among_people_is_left_alone_until_somebody_mentions_the_bot(house: House) -> None:
    chat = a_group(house)
    ann, bob = house.at(chat, "Ann"), house.at(chat, "Bob")
    bob.say("lunch?")
    question = ann.say("🚀🚀 hey @deckhand_bot what is up?")
    answer = await ann.sees("what is up?")
    assert answer.reply_to == question
    assert "lunch" not in answer.text
    assert "@deckhand_bot" not in answer.text
    bob.say("and tomorrow?")
    await bob.sees("and tomorrow?")
    await house.quiet()
    assert len(ann.messages) == 2
    assert await house.rows("SELECT count(*) FROM run") == [(2,)]


async def test_a_mention_behind_emoji_is_found_by_its_utf16_offsets(house: House) -> None:
    chat = a_group(house)
    text = "👩‍👩‍👧‍👦 family 𝒳: @deckhand_bot 🙂 go"
    start = len(text[: text.index("@")].encode("utf-16-le")) // 2
    entity = {"type": "mention", "offset": start, "length": len("@deckhand_bot")}
    chat.say(house.person("Ann"), text, entities=[entity])
    answer = await house.at(chat).sees("answer to")
    assert "🙂 go" in answer.text
    assert "@deckhand_bot" not in answer.text


async def test_b17_commands_for_us_and_for_another_bot(house: House) -> None:
    chat = a_group(house)
    ann = house.at(chat)
    ann.say("/status@OtherBot")
    for number, word in enumerate(("/status@deckhand_bot", "/STATUS@deckhand_bot", "/status@DECKHAND_BOT", "/status")):
        ann.say(word)
        await ann.shows(number + 1)
    await ann.until(lambda: len([text for text in ann.texts if "I am idle here" in text]) == 4)
    await house.quiet()
    assert len(ann.messages) == 4
    assert await house.rows("SELECT DISTINCT status FROM outbox") == [("sent",)]


async def test_b73_two_bots_do_not_talk_to_each_other(house: House) -> None:
    chat = a_group(house)
    ann = house.at(chat)
    await ann.asks("@deckhand_bot hello", "answer to")
    queue = house.simulator.bot().updates
    for number in range(20):
        queue.push("message", bot_message(chat, 5000 + number, "Ack @deckhand_bot"))
    await ann.asks("@deckhand_bot stop it", "stop it")
    await house.quiet()
    assert len(ann.messages) == 2


async def test_b73_other_bots_that_may_speak_are_capped(build: Build) -> None:
    house = await build(access=Access(open=True, bots=True, bot_cap=3, bot_window_seconds=600.0))
    chat = a_group(house)
    ann = house.at(chat)
    queue = house.simulator.bot().updates
    for number in range(20):
        queue.push("message", bot_message(chat, 5000 + number, f"Ack {number} @deckhand_bot"))
    await ann.asks("@deckhand_bot a person speaks", "a person speaks")
    await house.quiet()
    runs = await house.rows("SELECT count(*) FROM inbox WHERE payload LIKE '%Ack %'")
    assert runs == [(3,)]


def bot_message(chat: Chat, message_id: int, text: str) -> dict[str, Any]:
    start = text.index("@")
    return {
        "message_id": message_id,
        "date": 1_772_000_000,
        "chat": chat.to_json(),
        "from": OTHER_BOT,
        "text": text,
        "entities": [{"type": "mention", "offset": start, "length": len(text) - start}],
    }


async def test_b19_general_and_a_topic_keep_apart(house: House) -> None:
    forum = house.simulator.forum("Engineering", [house.person("Ann")])
    while forum._last_id < 41:
        forum.note({"new_chat_title": "x"}, house.person("Ann"))
    topic = forum.add_topic("Release")
    assert topic.id == 42
    ann = house.person("Ann")
    forum.say(ann, "@deckhand_bot hi bot", topic=1)
    await house.at(forum).sees("hi bot")
    forum.say(ann, "@deckhand_bot in the topic", topic=topic)
    await house.at(forum).sees("in the topic")
    await house.quiet()
    general, in_topic = sends(house, forum)
    assert "message_thread_id" not in general
    assert int(in_topic["message_thread_id"]) == 42
    rooms = await house.rows("SELECT DISTINCT thread_id FROM topic")
    assert len(rooms) == 2


async def test_a_reply_to_an_old_message_of_the_bot_finds_its_thread(house: House) -> None:
    chat = a_group(house)
    ann, bob = house.at(chat, "Ann"), house.at(chat, "Bob")
    answer = await ann.asks("@deckhand_bot remember the blue door", "blue door")
    await house.restart()
    bob.say("which colour was it?", reply_to=answer)
    await bob.sees("which colour was it?")
    await house.quiet()
    assert await house.rows("SELECT count(DISTINCT thread_id) FROM run") == [(1,)]


async def test_a_group_that_becomes_a_supergroup_keeps_its_conversation(house: House) -> None:
    chat = a_group(house)
    await house.at(chat).asks("@deckhand_bot before the move", "before the move")
    await house.quiet()
    moved = house.simulator.migrate(chat)
    ann = house.at(moved)
    await ann.asks("@deckhand_bot after the move", "after the move")
    await house.quiet()
    assert len(ann.messages) == 1
    assert await house.rows("SELECT count(DISTINCT thread_id) FROM run") == [(1,)]


async def test_a_move_in_the_middle_of_an_answer_loses_nothing(house: House) -> None:
    chat = a_group(house)
    house.at(chat).say("@deckhand_bot think first #delay 5 #say the thought is complete")
    await house.at(chat).shows(1)
    moved = house.simulator.migrate(chat)
    await house.at(moved).sees("the thought is complete")
    await house.quiet()
    assert await house.rows("SELECT DISTINCT status FROM outbox") == [("sent",)]


async def test_the_bot_was_removed_while_it_worked(house: House) -> None:
    chat = a_group(house)
    house.at(chat).say("@deckhand_bot think #delay 5")
    await house.at(chat).shows(1)
    house.simulator.kick(chat)
    ann = house.private()
    await ann.asks("are you still there?", "are you still there?")
    await house.quiet()
    assert "delivery_dead" in house.records


@pytest.mark.parametrize("kind", ["edited_message", "edited_channel_post", "anonymous", "bare", "channel"])
async def test_b59_edits_and_unusual_authors(house: House, kind: str) -> None:
    chat = a_group(house)
    ann = house.at(chat)
    question = ann.say("@deckhand_bot the first wording")
    await ann.sees("the first wording")
    if kind == "edited_message":
        chat.edit(chat.messages[int(question)], "@deckhand_bot the second wording")
    elif kind == "edited_channel_post":
        channel = house.simulator.channel("News")
        channel.edit(channel.post("a post"), "a post, corrected")
    else:
        other = house.simulator.channel("Voice") if kind == "channel" else None
        chat.say_as_chat("nobody in particular", bare=kind == "bare", channel=other)
    await ann.asks("@deckhand_bot still here?", "still here?")
    await house.quiet()
    assert sum("the first wording" in text for text in ann.texts) <= 1
    assert not any("the second wording" in text for text in ann.texts)
    assert "event_failed" not in house.records
    if kind == "edited_message":
        items = await house.rows("SELECT body FROM item WHERE kind = 'user' ORDER BY seq")
        assert "the second wording" in str(items[0])
