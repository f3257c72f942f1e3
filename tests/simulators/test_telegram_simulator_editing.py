"""What the simulator takes and refuses of edits, buttons, reactions and commands."""

from __future__ import annotations

import pytest
import telegram
from telegram import BotCommand, BotCommandScopeAllGroupChats, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest

from adapters.telegram.simulator import TelegramSimulator
from tests.support.hand_clock import HandClock
from tests.support.pictures import png

GO = InlineKeyboardMarkup([[InlineKeyboardButton("Go", callback_data="go")]])


async def test_an_edit_replaces_the_text_and_keeps_what_was(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sent = await bot.send_message(chat.id, "…", reply_markup=GO)
    edited = await bot.edit_message_text("done", chat.id, sent.message_id)
    assert isinstance(edited, telegram.Message) and edited.edit_date is not None
    [shown] = chat.shown()
    assert (shown.text, shown.edits, shown.buttons) == ("done", ("…",), ())


async def test_b11_the_same_text_is_not_modified(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sent = await bot.send_message(chat.id, "Hello")
    with pytest.raises(BadRequest, match="Message is not modified: specified new message content and reply markup"):
        await bot.edit_message_text("Hello ", chat.id, sent.message_id)
    await bot.edit_message_text("Hello", chat.id, sent.message_id, reply_markup=GO)
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_reply_markup(chat.id, sent.message_id, reply_markup=GO)
    await bot.edit_message_reply_markup(chat.id, sent.message_id)
    assert chat.shown()[0].buttons == ()


async def test_only_own_and_standing_messages_can_be_edited(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await bot.edit_message_text("x", chat.id, 99)
    said = chat.say(ann, "mine")
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await bot.edit_message_text("x", chat.id, said.id)
    sent = await bot.send_message(chat.id, "soon gone")
    assert await bot.delete_message(chat.id, sent.message_id)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await bot.edit_message_text("x", chat.id, sent.message_id)
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await bot.delete_message(chat.id, sent.message_id)


async def test_deleting_is_for_own_messages_and_two_days(
    sim: TelegramSimulator, bot: telegram.Bot, clock: HandClock
) -> None:
    ann = sim.person("Ann")
    group = sim.group("Ops", [ann])
    with pytest.raises(BadRequest, match="Message can't be deleted"):
        await bot.delete_message(group.id, group.say(ann, "hers").id)
    sent = await bot.send_message(group.id, "old")
    clock.move(48 * 3600 + 1)
    with pytest.raises(BadRequest, match="Message can't be deleted for everyone"):
        await bot.delete_message(group.id, sent.message_id)


async def test_a_text_can_become_media_and_media_has_a_caption(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sent = await bot.send_message(chat.id, "working …")
    with pytest.raises(BadRequest, match="There is no caption in the message to edit"):
        await bot.edit_message_caption(chat.id, sent.message_id, caption="x")
    changed = await bot.edit_message_media(telegram.InputMediaPhoto(png(), caption="chart"), chat.id, sent.message_id)
    assert isinstance(changed, telegram.Message) and changed.photo and changed.caption == "chart"
    with pytest.raises(BadRequest, match="There is no text in the message to edit"):
        await bot.edit_message_text("x", chat.id, sent.message_id)
    await bot.edit_message_caption(chat.id, sent.message_id, caption="better")
    assert chat.shown()[0].text == "better"


async def test_a_press_reaches_the_bot_and_its_answer_the_person(
    sim: TelegramSimulator, bot: telegram.Bot, clock: HandClock
) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    await bot.send_message(chat.id, "ready?", reply_markup=GO)
    [message] = [one for one in chat.messages.values() if one.bot_id]
    press = chat.click(ann, message, "Go")
    [update] = await bot.get_updates(timeout=5)
    query = update.callback_query
    assert query is not None and query.data == "go" and query.from_user.id == ann.id
    assert isinstance(query.message, telegram.Message) and query.message.text == "ready?"
    await bot.answer_callback_query(query.id, "on my way", show_alert=True)
    assert press.answer is not None and (press.answer.text, press.answer.alert) == ("on my way", True)
    with pytest.raises(LookupError, match="no button 'Stop'"):
        chat.click(ann, message, "Stop")
    late = chat.click(ann, message, "Go")
    clock.move(31)
    with pytest.raises(BadRequest, match="Query is too old"):
        await bot.answer_callback_query(late.id)
    with pytest.raises(BadRequest, match="Query is too old"):
        await bot.answer_callback_query("12345")
    with pytest.raises(BadRequest, match=r"(?i)message_too_long"):
        await bot.answer_callback_query(late.id, "x" * 201)


async def test_reactions_come_from_the_servers_list(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    said = chat.say(ann, "please")
    await bot.set_message_reaction(chat.id, said.id, "👀")
    assert said.reactions == {777: "👀"}
    with pytest.raises(BadRequest, match=r"(?i)reaction_invalid"):
        await bot.set_message_reaction(chat.id, said.id, "🧯")
    await bot.set_message_reaction(chat.id, said.id, [])
    assert said.reactions == {}


async def test_commands_are_kept_by_scope(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    await bot.set_my_commands([BotCommand("help", "What I can do")])
    await bot.set_my_commands([BotCommand("status", "How I am")], scope=BotCommandScopeAllGroupChats())
    assert [command.command for command in await bot.get_my_commands()] == ["help"]
    assert [command.command for command in await bot.get_my_commands(BotCommandScopeAllGroupChats())] == ["status"]
    await bot.delete_my_commands()
    assert await bot.get_my_commands() == ()
    with pytest.raises(BadRequest, match=r"(?i)bot_command_invalid"):
        await bot.set_my_commands([("Not-Good", "x")])
    with pytest.raises(BadRequest, match=r"(?i)bot_command_description_invalid"):
        await bot.set_my_commands([("good", " ")])


async def test_chats_and_members_can_be_looked_up(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann, bob, eve = (sim.person(name) for name in ("Ann", "Bob", "Eve"))
    group = sim.group("Ops", [ann, bob])
    assert (await bot.get_chat(group.id)).title == "Ops"
    statuses = [(await bot.get_chat_member(group.id, person)).status for person in (ann.id, bob.id, eve.id, 777)]
    assert statuses == ["creator", "member", "left", "member"]
    with pytest.raises(BadRequest, match="User not found"):
        await bot.get_chat_member(group.id, 5)


async def test_the_busy_sign_lasts_five_seconds(sim: TelegramSimulator, bot: telegram.Bot, clock: HandClock) -> None:
    chat = sim.private(sim.person("Ann"))
    await bot.send_chat_action(chat.id, "typing")
    assert (chat.action, chat.acting_until) == ("typing", clock.monotonic() + 5)
    with pytest.raises(BadRequest, match="Wrong parameter action in request"):
        await bot.send_chat_action(chat.id, "dancing")
