"""What bots are sent: every kind of update as the platform writes it."""

from __future__ import annotations

from typing import Any

import pytest
import telegram
from telegram import Update

from adapters._shared.simulator.bodies import Upload
from adapters.telegram.simulator import TelegramSimulator
from tests.support.pictures import png


def made(sim: TelegramSimulator) -> list[dict[str, Any]]:
    """Return the updates so far, as JSON, without their ids."""
    return [{name: body for name, body in update.items() if name != "update_id"} for update in sim.bot().updates.made]


async def received(bot: telegram.Bot, **options: Any) -> list[Update]:
    return list(await bot.get_updates(timeout=5, **options))


async def test_a_private_message(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    sim.private(ann).say(ann, "hello 😀 @deckhand_bot")
    assert made(sim) == [
        {
            "message": {
                "message_id": 1,
                "from": {"id": 1001, "is_bot": False, "first_name": "Ann", "username": "ann", "language_code": "en"},
                "chat": {"id": 1001, "type": "private", "first_name": "Ann", "username": "ann"},
                "date": 1772442000,
                "text": "hello 😀 @deckhand_bot",
                "entities": [{"type": "mention", "offset": 9, "length": 13}],
            }
        }
    ]
    [update] = await received(bot)
    assert update.message is not None and update.message.text == "hello 😀 @deckhand_bot"


async def test_a_person_without_a_handle_is_mentioned_by_entity(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann, zoe = sim.person("Ann"), sim.person("李", handle="")
    group = sim.group("Ops", [ann, zoe])
    user = {"id": zoe.id, "is_bot": False, "first_name": "李"}
    group.say(ann, "ask 李", entities=[{"type": "text_mention", "offset": 4, "length": 1, "user": user}])
    [update] = await received(bot)
    assert update.message is not None
    [entity] = update.message.entities
    assert entity.type == "text_mention" and entity.user is not None and entity.user.first_name == "李"


async def test_a_reply_carries_the_bots_message_and_in_a_supergroup_its_thread(
    sim: TelegramSimulator, bot: telegram.Bot
) -> None:
    ann = sim.person("Ann")
    group = sim.group("Ops", [ann], supergroup=True)
    sent = await bot.send_message(group.id, "anything else?")
    group.say(ann, "yes", reply_to=sent.message_id)
    [update] = await received(bot)
    message = update.message
    assert message is not None and message.reply_to_message is not None
    assert message.reply_to_message.from_user is not None and message.reply_to_message.from_user.id == 777
    assert (message.message_thread_id, message.is_topic_message) == (sent.message_id, None)


async def test_b19_topics_and_general(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    forum = sim.forum("Ops", [ann])
    assert forum.id == -1001234500001
    topic = forum.add_topic("Deploys")
    forum.say(ann, "inside", topic=topic)
    forum.say(ann, "outside")
    forum.say(ann, "hi bot", topic=1)
    created, inside, outside, general = [update.message for update in await received(bot)]
    assert created and created.forum_topic_created and created.forum_topic_created.name == "Deploys"
    assert inside and (inside.message_thread_id, inside.is_topic_message) == (topic.id, True)
    assert inside.reply_to_message and inside.reply_to_message.forum_topic_created
    assert outside and (outside.message_thread_id, outside.is_topic_message) == (None, None)
    assert general and (general.message_thread_id, general.is_topic_message) == (1, None)
    assert general.chat.is_forum


async def test_b59_edits_posts_and_messages_without_an_author(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    group = sim.group("Ops", [ann], supergroup=True)
    said = group.say(ann, "frist")
    group.edit(said, "first")
    channel = sim.channel("News")
    post = channel.post("posted")
    channel.edit(post, "posted again")
    group.say_as_chat("the management")
    group.say_as_chat("the management", bare=True)
    group.say_as_chat("from the news", channel=channel)
    updates = await received(bot)
    assert [next(iter(update.to_dict().keys() - {"update_id"})) for update in updates] == [
        "message",
        "edited_message",
        "channel_post",
        "edited_channel_post",
        "message",
        "message",
        "message",
    ]
    edited = updates[1].edited_message
    assert edited and edited.message_id == said.id and edited.text == "first" and edited.edit_date
    posted = updates[2].channel_post
    assert posted and posted.from_user is None and posted.sender_chat and posted.sender_chat.title == "News"
    anonymous, bare, voiced = updates[4].message, updates[5].message, updates[6].message
    assert anonymous and anonymous.from_user and anonymous.from_user.username == "GroupAnonymousBot"
    assert anonymous.sender_chat and anonymous.sender_chat.id == group.id
    assert bare and bare.from_user is None and bare.sender_chat
    assert voiced and voiced.sender_chat and voiced.sender_chat.type == "channel"


async def test_b60_an_album_is_one_update_a_picture(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    chat.send_album(ann, [(png(), "before"), (png(), ""), (png(), "after")])
    chat.say(ann, "what are these?")
    updates = await received(bot)
    messages = [update.message for update in updates if update.message]
    assert len(messages) == 4
    assert len({message.media_group_id for message in messages[:3]}) == 1
    assert [message.caption for message in messages] == ["before", None, "after", None]
    assert messages[3].media_group_id is None


async def test_files_of_people_can_be_fetched(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    chat.send_document(ann, Upload(name="notes.txt", data=b"notes", media_type="text/plain"), "read this")
    [update] = await received(bot)
    assert update.message and update.message.document and update.message.caption == "read this"
    assert update.message.document.mime_type == "text/plain"
    file = await update.message.document.get_file()
    assert bytes(await file.download_as_bytearray()) == b"notes"


async def test_membership_and_migration(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    group = sim.group("Ops", [ann])
    sim.kick(group)
    sim.add(group)
    moved = sim.migrate(group)
    kicked, back, joined, goes, came = await received(bot)
    assert kicked.my_chat_member and kicked.my_chat_member.new_chat_member.status == "kicked"
    assert back.my_chat_member and back.my_chat_member.new_chat_member.status == "member"
    assert joined.message and joined.message.new_chat_members[0].id == 777
    assert goes.message and goes.message.chat.id == group.id and goes.message.migrate_to_chat_id == moved.id
    assert came.message and came.message.chat.id == moved.id and came.message.migrate_from_chat_id == group.id


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("just talking", False),
        ("/status", True),
        ("/status@deckhand_bot", True),
        ("/status@Deckhand_Bot", True),
        ("/status@other_bot", False),
        ("hey @deckhand_bot", True),
        ("hey @ann", False),
    ],
)
async def test_privacy_mode_hides_what_is_not_meant_for_the_bot(sim: TelegramSimulator, text: str, heard: bool) -> None:
    ann = sim.person("Ann")
    group = sim.group("Ops", [ann])
    sim.bot().privacy = True
    group.say(ann, text)
    assert bool(made(sim)) is heard


async def test_privacy_mode_lets_replies_to_the_bot_through(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    group = sim.group("Ops", [ann])
    sim.bot().privacy = True
    sent = await bot.send_message(group.id, "anything?")
    group.say(ann, "no", reply_to=sent.message_id)
    group.say(ann, "lunch?")
    assert [update["message"]["text"] for update in made(sim)] == ["no"]


async def test_reactions_come_only_to_those_who_ask(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    sent = await bot.send_message(chat.id, "good?")
    message = chat.messages[sent.message_id]
    chat.react(ann, message, "👍")
    assert made(sim) == []
    await bot.get_updates(timeout=0, allowed_updates=["message_reaction"])
    chat.react(ann, message, "👎")
    [update] = await received(bot)
    assert update.message_reaction is not None
    assert [reaction.to_dict()["emoji"] for reaction in update.message_reaction.old_reaction] == ["👍"]
    assert [reaction.to_dict()["emoji"] for reaction in update.message_reaction.new_reaction] == ["👎"]


async def test_bots_do_not_hear_each_other(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    group = sim.group("Ops", [sim.person("Ann")])
    other = sim.bot(888)
    sim.add(group, other)
    before = len(other.updates.made)
    await bot.send_message(group.id, "hello")
    assert len(other.updates.made) == before
