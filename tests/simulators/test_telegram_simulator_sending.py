"""What the simulator takes and refuses of messages, seen through the real client."""

from __future__ import annotations

from typing import Any

import pytest
import telegram
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputMediaDocument, InputMediaPhoto, MessageEntity
from telegram.error import BadRequest, ChatMigrated, Forbidden

from adapters._shared.simulator.bodies import Upload
from adapters.telegram.simulator import TelegramSimulator
from tests.support.pictures import png
from tests.support.telegram_client import call


def a_keyboard(*labels: str, data: str = "x") -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton(label, callback_data=data)] for label in labels])


async def test_a_message_stands_in_the_chat_as_it_was_sent(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sent = await bot.send_message(
        chat.id,
        "see 😀 bold and https://example.com",
        entities=[MessageEntity("bold", offset=7, length=4)],
        reply_markup=a_keyboard("Yes", "No"),
    )
    assert sent.text == "see 😀 bold and https://example.com"
    assert sent.from_user is not None and sent.from_user.id == 777
    assert [entity.type for entity in sent.entities] == ["bold", "url"]
    [shown] = chat.shown()
    assert shown.markup == "see 😀 <b>bold</b> and https://example.com"
    assert shown.buttons == ("Yes", "No")
    assert shown.id == str(sent.message_id)


@pytest.mark.parametrize(
    ("text", "fits"), [("a" * 4096, True), ("a" * 4097, False), ("😀" * 2048, True), ("😀" * 2048 + "a", False)]
)
async def test_a_text_is_counted_in_utf16(sim: TelegramSimulator, bot: telegram.Bot, text: str, fits: bool) -> None:
    chat = sim.private(sim.person("Ann"))
    if fits:
        assert (await bot.send_message(chat.id, text)).text == text
        return
    with pytest.raises(BadRequest, match="Message is too long"):
        await bot.send_message(chat.id, text)
    assert chat.shown() == ()


@pytest.mark.parametrize("text", ["", "  \n "])
async def test_an_empty_text_is_refused(sim: TelegramSimulator, bot: telegram.Bot, text: str) -> None:
    with pytest.raises(BadRequest, match="Message text is empty"):
        await bot.send_message(sim.private(sim.person("Ann")).id, text)


async def test_the_length_counts_after_parsing(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    await bot.send_message(chat.id, f"<b>{'a' * 4096}</b>", parse_mode="HTML")
    assert len(chat.shown()[0].text) == 4096


@pytest.mark.parametrize(
    ("entity", "complaint"),
    [
        (
            {"type": "bold", "offset": 3, "length": 9},
            "entity beginning at UTF-16 offset 3 ends after the end of the text",
        ),
        ({"type": "bold", "offset": 20, "length": 1}, "entity begins after the end of the text at UTF-16 offset 20"),
        ({"type": "bold", "offset": 1, "length": 2}, "entity begins in a middle of a UTF-16 symbol at byte offset"),
        ({"type": "sparkle", "offset": 0, "length": 2}, "can't parse MessageEntity: Unsupported type specified"),
        (
            {"type": "text_link", "offset": 0, "length": 2, "url": "localhost"},
            "entity URL 'localhost' is invalid: Wrong HTTP URL",
        ),
        ({"type": "text_link", "offset": 0, "length": 2}, "can't parse MessageEntity: Can't find field \"url\""),
    ],
)
async def test_bad_entities_are_refused(
    sim: TelegramSimulator, bot: telegram.Bot, entity: dict[str, Any], complaint: str
) -> None:
    chat = sim.private(sim.person("Ann"))
    answer = await call(sim, "sendMessage", chat_id=chat.id, text="😀 hello", entities=[entity])
    assert answer["description"].startswith(f"Bad Request: {complaint}")
    assert chat.shown() == ()


async def test_entities_beyond_the_hundredth_are_noted(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    entities = [MessageEntity("bold", offset=2 * number, length=1) for number in range(101)]
    sent = await bot.send_message(chat.id, "a " * 101, entities=entities)
    assert len(sent.entities) == 100
    assert sim.calls.problems() == ["sendMessage: 101 entities: those beyond 100 are ignored"]


async def test_a_parse_error_is_answered_as_the_server_words_it(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    with pytest.raises(BadRequest, match=r"Can't parse entities: character '\.' is reserved and must be escaped"):
        await bot.send_message(chat.id, "done.", parse_mode="MarkdownV2")
    with pytest.raises(BadRequest, match="unsupported start tag"):
        await bot.send_message(chat.id, "pass <name>", parse_mode="HTML")
    with pytest.raises(BadRequest, match="Unsupported parse_mode"):
        await bot.send_message(chat.id, "x", parse_mode="BBCode")


@pytest.mark.parametrize(
    ("markup", "complaint"),
    [
        ([[{"text": "a", "callback_data": "x" * 65}]], "BUTTON_DATA_INVALID"),
        ([[{"text": "a", "callback_data": ""}]], "BUTTON_DATA_INVALID"),
        ([[{"text": "a", "url": "nonsense"}]], "BUTTON_URL_INVALID"),
        ([[{"text": "a"}]], "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"),
        ([[{"callback_data": "a"}]], "can't parse inline keyboard button: Can't find field \"text\""),
        ([[{"text": str(number), "callback_data": "x"}] for number in range(101)], "reply markup is too long"),
        ([[{"text": "w" * 2000, "callback_data": "x"}] for _ in range(6)], "reply markup is too long"),
    ],
)
async def test_bad_keyboards_are_refused(
    sim: TelegramSimulator, bot: telegram.Bot, markup: list[Any], complaint: str
) -> None:
    chat = sim.private(sim.person("Ann"))
    answer = await call(sim, "sendMessage", chat_id=chat.id, text="x", reply_markup={"inline_keyboard": markup})
    assert answer["description"] == f"Bad Request: {complaint}"


async def test_callback_data_is_counted_in_bytes(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    await bot.send_message(chat.id, "fits", reply_markup=a_keyboard("a", data="é" * 32))
    with pytest.raises(BadRequest):
        await bot.send_message(chat.id, "too long", reply_markup=a_keyboard("a", data="é" * 33))


async def test_a_reply_to_a_missing_message_is_refused_unless_allowed(
    sim: TelegramSimulator, bot: telegram.Bot
) -> None:
    chat = sim.private(sim.person("Ann"))
    with pytest.raises(BadRequest, match="Message to be replied not found"):
        await bot.send_message(chat.id, "x", reply_to_message_id=99)
    sent = await bot.send_message(
        chat.id, "x", reply_parameters=telegram.ReplyParameters(99, allow_sending_without_reply=True)
    )
    assert sent.reply_to_message is None
    said = chat.say(sim.person("Ann"), "how are you")
    sent = await bot.send_message(chat.id, "well", reply_parameters=telegram.ReplyParameters(said.id, quote="are"))
    assert sent.reply_to_message is not None and sent.reply_to_message.text == "how are you"
    assert sent.quote is not None and (sent.quote.text, sent.quote.position) == ("are", 4)


async def test_b19_general_takes_no_thread_id_and_topics_keep_theirs(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    forum = sim.forum("Ops", [sim.person("Ann")])
    topic = forum.add_topic("Deploys")
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(forum.id, "x", message_thread_id=1)
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(forum.id, "x", message_thread_id=4711)
    general = await bot.send_message(forum.id, "x")
    assert (general.message_thread_id, general.is_topic_message) == (None, None)
    inside = await bot.send_message(forum.id, "x", message_thread_id=topic.id)
    assert (inside.message_thread_id, inside.is_topic_message) == (topic.id, True)
    topic.closed = True
    with pytest.raises(BadRequest, match=r"(?i)topic_closed"):
        await bot.send_message(forum.id, "x", message_thread_id=topic.id)


async def test_a_group_without_topics_has_no_threads(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    group = sim.group("Ops", [sim.person("Ann")])
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(group.id, "x", message_thread_id=3)


async def test_chats_that_cannot_be_sent_to(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(ann.id, "never started")
    chat = sim.private(ann)
    sim.block(chat)
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(chat.id, "x")
    sim.unblock(chat)
    await bot.send_message(chat.id, "x")
    group = sim.group("Ops", [ann])
    sim.kick(group)
    with pytest.raises(Forbidden, match="bot was kicked from the group chat"):
        await bot.send_message(group.id, "x")
    sim.add(group)
    await bot.send_message(group.id, "x")
    moved = sim.migrate(group)
    with pytest.raises(ChatMigrated) as caught:
        await bot.send_message(group.id, "x")
    assert caught.value.new_chat_id == moved.id
    await bot.send_message(moved.id, "x")


async def test_another_bots_chats_are_not_found(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    sim.private(ann)
    other = sim.bot(888, username="other_bot")
    theirs = sim.private(ann, bot=other)
    assert theirs.key != sim.private(ann).key
    async with telegram.Bot("888:t", base_url=sim.base_url) as second:
        assert second.username == "other_bot"
        await second.send_message(ann.id, "from the second")
    assert [shown.text for shown in theirs.shown()] == ["from the second"]
    assert sim.private(ann).shown() == ()


async def test_photos_come_in_sizes_and_can_be_sent_again_by_id(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sent = await bot.send_photo(chat.id, png(1000, 500), caption="a chart", reply_markup=a_keyboard("Ok"))
    assert [(size.width, size.height) for size in sent.photo] == [(90, 45), (320, 160), (800, 400), (1000, 500)]
    assert sent.caption == "a chart"
    again = await bot.send_photo(chat.id, sent.photo[-1].file_id)
    assert again.photo[-1].file_id == sent.photo[-1].file_id
    file = await bot.get_file(sent.photo[-1].file_id)
    assert bytes(await file.download_as_bytearray()) == png(1000, 500)


@pytest.mark.parametrize(
    ("picture", "complaint"),
    [
        (png(9999, 2), "Photo_invalid_dimensions"),
        (b"not a picture", "Image_process_failed"),
        (png() + b"\0" * (10 * 1024 * 1024), "is too big for a photo"),
    ],
)
async def test_what_is_no_photo_is_refused(
    sim: TelegramSimulator, bot: telegram.Bot, picture: bytes, complaint: str
) -> None:
    chat = sim.private(sim.person("Ann"))
    with pytest.raises(BadRequest, match=f"(?i){complaint}"):
        await bot.send_photo(chat.id, picture)


async def test_documents_go_out_and_come_back(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sent = await bot.send_document(chat.id, b"a,b\n1,2\n", filename="table.csv", caption="as asked")
    assert sent.document is not None and sent.document.file_name == "table.csv"
    assert chat.shown()[0].files == ("table.csv",)
    file = await bot.get_file(sent.document.file_id)
    assert bytes(await file.download_as_bytearray()) == b"a,b\n1,2\n"


async def test_b74_captions_stop_earlier_than_texts(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    await bot.send_photo(chat.id, png(), caption="a" * 1024)
    with pytest.raises(BadRequest, match="Message caption is too long"):
        await bot.send_photo(chat.id, png(), caption="a" * 1025)


async def test_b74_albums_hold_two_to_ten(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    chat = sim.private(sim.person("Ann"))
    sent = await bot.send_media_group(chat.id, [InputMediaPhoto(png(shade=n), caption=f"c{n}") for n in range(10)])
    assert len({message.media_group_id for message in sent}) == 1
    assert [message.caption for message in sent] == [f"c{n}" for n in range(10)]
    for count in (1, 11):
        with pytest.raises(BadRequest, match="to send as an album"):
            await bot.send_media_group(chat.id, [InputMediaPhoto(png()) for _ in range(count)])
    with pytest.raises(BadRequest, match="Document can't be mixed"):
        await bot.send_media_group(chat.id, [InputMediaPhoto(png()), InputMediaDocument(b"x", filename="x.txt")])


async def test_what_is_too_big_to_upload_or_download_is_refused(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    with pytest.raises(telegram.error.NetworkError, match="Request Entity Too Large"):
        await bot.send_document(chat.id, b"\0" * (50 * 1024 * 1024 + 1), filename="big.bin")
    said = chat.send_document(
        ann, Upload(name="huge.zip", data=b"PK", media_type="application/zip"), size=20 * 1024 * 1024 + 1
    )
    assert said.content.document is not None
    with pytest.raises(BadRequest, match="File is too big"):
        await bot.get_file(said.content.document.id)
    with pytest.raises(BadRequest, match="Wrong file_id"):
        await bot.get_file("nonsense")


async def test_drafts_are_shown_until_the_answer_or_for_half_a_minute(
    sim: TelegramSimulator, bot: telegram.Bot
) -> None:
    chat = sim.private(sim.person("Ann"))
    await bot.send_message_draft(chat.id, 1, "growing")
    assert [draft.styled.text for draft in chat.drafts.values()] == ["growing"]
    await bot.send_message(chat.id, "grown")
    assert chat.drafts == {}
    group = sim.group("Ops", [sim.person("Ann")])
    with pytest.raises(BadRequest, match=r"(?i)textdraft_peer_invalid"):
        await bot.send_message_draft(group.id, 1, "x")


async def test_an_unknown_method_is_not_found(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    answer = await call(sim, "sendRichMessage", chat_id=1)
    assert answer == {"ok": False, "error_code": 404, "description": "Not Found: method not found"}
    [recorded] = sim.calls.of("sendRichMessage")
    assert recorded.status == 404


async def test_unknown_parameters_are_noted(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    await call(sim, "getMe", colour="red")
    assert sim.calls.problems() == ["getMe: unknown parameter colour"]
    sim.calls.clear()
