"""The edges against a server that answers as a test wants it to."""

from __future__ import annotations

import asyncio
import errno
import json
import socket
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientOSError, ClientSession
from structlog.testing import capture_logs
from telegram.error import NetworkError, TimedOut

from adapters._shared.server import WebServer
from adapters.telegram import ADAPTER, texts
from adapters.telegram.connection import TelegramConnection, open_connection
from adapters.telegram.errors import translate
from adapters.telegram.transport import AiohttpRequest, NeverSent, translated
from adapters.telegram.webhook import PATH, SECRET_HEADER
from bot.adapter import Accepted, Connection, Deliver, Toolkit
from bot.command import Command, Invocation, Outcome
from bot.errors import (
    DeliveryError,
    Gone,
    RateLimited,
    Refused,
    StartError,
    StorageBusy,
    Unknown,
    Unreachable,
    Vanished,
)
from bot.events import Attachment, Event, Kind, Room
from bot.replies import OutFile, Part, PartKind, Reply
from tests.support.bot_api import TOKEN, BotApi, Call, Say, a_bot_api, refusal, result

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SECRET = "hook-secret-0123456789"
DM = Room(platform="telegram", workspace="4242", chat="501")
GENERAL = Room(platform="telegram", workspace="4242", chat="-1001234500001")
TOPIC = Room(platform="telegram", workspace="4242", chat="-1001234500001", topic="42")
HELLO = Part(body={"text": "Hello", "entities": []})


class QuickClock:
    """A clock whose sleeps pass at once and are remembered."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> datetime:
        return NOON

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


class Intake:
    """Commits events, or says that it cannot."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.busy = 0
        """How many more batches are refused."""

    async def __call__(self, events: Sequence[Event]) -> Sequence[Accepted]:
        if self.busy:
            self.busy -= 1
            raise StorageBusy("the database is busy")
        self.events += events
        return [Accepted() for _ in events]

    @property
    def texts(self) -> list[str]:
        return [event.text for event in self.events]


async def _nothing(invocation: Invocation) -> Outcome:
    return Outcome()


STATUS = Command(name="status", summary="Show what is going on here", handler=_nothing)


def a_toolkit(url: str, home: Path, **changes: Any) -> Toolkit:
    values: dict[str, Any] = {
        "environment": {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": url},
        "options": dict(ADAPTER.options),
        "home": home,
        "clock": QuickClock(),
        "commands": (STATUS,),
        "ports": {},
    }
    return Toolkit(**(values | changes))


@pytest.fixture
async def api() -> AsyncIterator[BotApi]:
    async with a_bot_api() as api:
        yield api


@pytest.fixture
def clock() -> QuickClock:
    return QuickClock()


@pytest.fixture
async def bot(api: BotApi, clock: QuickClock, tmp_path: Path) -> AsyncIterator[TelegramConnection]:
    connection = await ADAPTER.open(a_toolkit(api.url, tmp_path, clock=clock))
    assert isinstance(connection, TelegramConnection)
    yield connection
    await connection.close()


@asynccontextmanager
async def listening(bot: Connection, deliver: Deliver) -> AsyncIterator[None]:
    task = asyncio.create_task(bot.listen(deliver))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def an_update(update_id: int, text: str = "hello") -> dict[str, Any]:
    person = {"id": 501, "is_bot": False, "first_name": "Ann"}
    chat = {"id": 501, "type": "private"}
    message = {"message_id": update_id - 9000, "date": 1, "from": person, "chat": chat, "text": text}
    return {"update_id": update_id, "message": message}


def a_click(update_id: int) -> dict[str, Any]:
    message = an_update(update_id)["message"]
    query = {"id": "777", "from": message["from"], "chat_instance": "1", "data": "/stop", "message": message}
    return {"update_id": update_id, "callback_query": query}


def only(calls: list[Call]) -> Call:
    assert len(calls) == 1
    return calls[0]


# --- signing in ------------------------------------------------------------------------------------------


async def test_the_account_is_the_bots_id(bot: TelegramConnection) -> None:
    assert bot.account == "4242"


async def test_polling_takes_a_webhook_away_and_keeps_what_waits(bot: TelegramConnection, api: BotApi) -> None:
    assert only(api.made("deleteWebhook")).parameters == {}


async def test_a_rejected_token_says_what_to_do_and_does_not_show_it(api: BotApi, tmp_path: Path) -> None:
    api.plan("getMe", refusal(401, "Unauthorized"))
    with pytest.raises(StartError, match="BotFather") as caught:
        await ADAPTER.open(a_toolkit(api.url, tmp_path))
    assert TOKEN not in _everything(caught.value)


async def test_a_start_waits_for_a_platform_that_comes_back(api: BotApi, clock: QuickClock, tmp_path: Path) -> None:
    api.plan("getMe", refusal(502, "Bad Gateway"), Say(hang_up=True))
    connection = await ADAPTER.open(a_toolkit(api.url, tmp_path, clock=clock))
    await connection.close()
    assert clock.slept == [1.0, 2.0]


async def test_a_start_without_a_platform_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="TELEGRAM_API_URL") as caught:
        await ADAPTER.open(a_toolkit(f"http://127.0.0.1:{_closed_port()}", tmp_path))
    assert TOKEN not in _everything(caught.value)


async def test_an_address_that_is_no_bot_api_is_named(api: BotApi, tmp_path: Path) -> None:
    api.plan("getMe", Say(body={"hello": "world"}))
    with pytest.raises(StartError, match="does not answer like a Bot API"):
        await ADAPTER.open(a_toolkit(api.url, tmp_path))


async def test_commands_are_registered_when_they_changed(bot: TelegramConnection, api: BotApi) -> None:
    await api.wait_for(lambda: bool(api.made("setMyCommands")))
    menu = only(api.made("setMyCommands")).parameters["commands"]
    assert menu == [{"command": "status", "description": "Show what is going on here"}]


async def test_commands_that_are_registered_already_are_left_alone(api: BotApi, tmp_path: Path) -> None:
    menu = [{"command": "status", "description": "Show what is going on here"}]
    api.plan("getMyCommands", result(menu))
    connection = await ADAPTER.open(a_toolkit(api.url, tmp_path))
    async with listening(connection, Intake()):
        await api.wait_for(lambda: bool(api.polls) and bool(api.made("getMyCommands")))
    await connection.close()
    assert api.made("setMyCommands") == []


async def test_a_menu_that_is_refused_does_no_harm(api: BotApi, tmp_path: Path) -> None:
    api.plan("getMyCommands", refusal(400, "Bad Request: no menu today"))
    with capture_logs() as logs:
        connection = await ADAPTER.open(a_toolkit(api.url, tmp_path))
        async with listening(connection, Intake()):
            await api.wait_for(lambda: bool(api.made("getMyCommands")) and bool(api.polls))
            assert await connection.post(DM, HELLO, key="k", anchor="") == "101"
        await connection.close()
    assert [entry["chore"] for entry in logs if entry["event"] == "chore_failed"] == ["menu"]


# --- polling -----------------------------------------------------------------------------------------------


async def test_updates_are_committed_in_order_before_they_are_confirmed(bot: TelegramConnection, api: BotApi) -> None:
    api.updates = [an_update(9001, "one"), an_update(9002, "two")]
    intake = Intake()
    async with listening(bot, intake):
        await api.wait_for(lambda: len(api.made("getUpdates")) == 2)
    assert intake.texts == ["one", "two"]
    first, second = api.made("getUpdates")
    assert "offset" not in first.parameters
    assert second.parameters["offset"] == 9003
    assert second.parameters["timeout"] == 30
    assert "message_reaction" in second.parameters["allowed_updates"]


async def test_b30_a_batch_that_was_not_stored_is_not_confirmed(
    bot: TelegramConnection, api: BotApi, clock: QuickClock
) -> None:
    api.updates = [an_update(9001), an_update(9002)]
    intake = Intake()
    intake.busy = 2
    async with listening(bot, intake):
        await api.wait_for(lambda: len(api.made("getUpdates")) == 4)
    assert [call.parameters.get("offset") for call in api.made("getUpdates")] == [None, None, None, 9003]
    assert len(intake.events) == 2
    assert clock.slept == [0.5, 1.0]


async def test_b30_a_process_that_died_before_confirming_gets_the_same_events_again(
    api: BotApi, tmp_path: Path
) -> None:
    api.updates = [an_update(9001, "one")]
    seen: list[Intake] = []
    for _ in range(2):
        connection = await ADAPTER.open(a_toolkit(api.url, tmp_path))
        seen.append(Intake())
        polled = len(api.polls)
        async with listening(connection, seen[-1]):
            await api.wait_for(lambda polled=polled: len(api.polls) == polled + 2)  # type: ignore[misc]
        await connection.close()
        api.updates = [an_update(9001, "one"), an_update(9002, "two")]
    assert [event.id for event in seen[0].events] == ["telegram:4242:9001"]
    assert [event.id for event in seen[1].events] == ["telegram:4242:9001", "telegram:4242:9002"]


async def test_a_malformed_update_is_logged_and_never_stops_the_others(bot: TelegramConnection, api: BotApi) -> None:
    api.updates = [an_update(9001, "one"), {"update_id": 9002, "message": {"text": 5}}, an_update(9003, "three")]
    intake = Intake()
    with capture_logs() as logs:
        async with listening(bot, intake):
            await api.wait_for(lambda: len(api.polls) == 2)
    assert intake.texts == ["one", "three"]
    assert api.polls[-1] == 9004
    (entry,) = [entry for entry in logs if entry["event"] == "update_skipped"]
    assert "9002" in entry["because"]
    assert entry["skipped"] == 1


async def test_updates_that_cannot_be_confirmed_do_not_spin(
    bot: TelegramConnection, api: BotApi, clock: QuickClock
) -> None:
    api.plan("getUpdates", result([{"message": {}}, 7]), result("nonsense"))
    async with listening(bot, Intake()):
        await api.wait_for(lambda: len(api.made("getUpdates")) == 3)
    assert clock.slept == [0.5, 1.0]


async def test_network_trouble_is_waited_out_longer_and_longer(
    bot: TelegramConnection, api: BotApi, clock: QuickClock
) -> None:
    api.plan("getUpdates", Say(hang_up=True), refusal(502, "Bad Gateway"), Say(status=500, body=b"<html>"))
    api.plan("getUpdates", result([]), refusal(500, "Internal"))
    async with listening(bot, Intake()):
        await api.wait_for(lambda: len(api.made("getUpdates")) == 6)
    assert clock.slept == [0.5, 1.0, 2.0, 0.5]


async def test_polling_obeys_a_request_to_wait(bot: TelegramConnection, api: BotApi, clock: QuickClock) -> None:
    api.plan("getUpdates", refusal(429, "Too Many Requests: retry after 7", retry_after=7))
    async with listening(bot, Intake()):
        await api.wait_for(lambda: len(api.made("getUpdates")) == 2)
    assert clock.slept == [7.0]


@pytest.mark.parametrize(
    ("status", "description", "event", "cure"),
    [
        (409, "Conflict: terminated by other getUpdates request", "polling_conflict", texts.CONFLICT),
        (401, "Unauthorized", "token_rejected", texts.TOKEN_REJECTED),
    ],
)
async def test_a_conflict_and_a_withdrawn_token_say_what_to_do(
    bot: TelegramConnection, api: BotApi, status: int, description: str, event: str, cure: str
) -> None:
    api.plan("getUpdates", refusal(status, description))
    with capture_logs() as logs:
        async with listening(bot, Intake()):
            await api.wait_for(lambda: len(api.made("getUpdates")) == 2)
    assert [entry["cure"] for entry in logs if entry["event"] == event] == [cure]


async def test_clicks_are_answered_once_they_are_committed(bot: TelegramConnection, api: BotApi) -> None:
    api.updates = [a_click(9001)]
    intake = Intake()
    intake.busy = 1
    async with listening(bot, intake):
        await api.wait_for(lambda: bool(api.made("answerCallbackQuery")))
    assert [event.kind for event in intake.events] == [Kind.CLICK]
    assert only(api.made("answerCallbackQuery")).parameters == {"callback_query_id": "777"}


# --- posting -------------------------------------------------------------------------------------------------


async def test_the_placeholder_is_posted_as_a_reply_that_outlives_its_anchor(
    bot: TelegramConnection, api: BotApi
) -> None:
    assert await bot.post(DM, None, key="k", anchor="12") == "101"
    assert only(api.made("sendMessage")).parameters == {
        "chat_id": 501,
        "text": texts.PLACEHOLDER,
        "reply_parameters": {"message_id": 12, "allow_sending_without_reply": True},
        "link_preview_options": {"is_disabled": True},
    }


async def test_b19_the_general_topic_is_never_named_and_other_topics_are(bot: TelegramConnection, api: BotApi) -> None:
    await bot.post(GENERAL, HELLO, key="a", anchor="")
    await bot.post(TOPIC, HELLO, key="b", anchor="")
    general, topic = api.made("sendMessage")
    assert "message_thread_id" not in general.parameters
    assert topic.parameters["message_thread_id"] == 42


async def test_a_rendered_answer_goes_out_with_its_entities(bot: TelegramConnection, api: BotApi) -> None:
    (part,) = ADAPTER.render(Reply(text="**Hi** & <bye>"))
    await bot.post(DM, part, key="k", anchor="")
    call = only(api.made("sendMessage"))
    assert call.parameters["text"] == "Hi & <bye>"
    assert call.parameters["entities"] == [{"type": "bold", "offset": 0, "length": 2}]


async def test_link_previews_are_shown_where_they_are_wanted(api: BotApi, tmp_path: Path) -> None:
    connection = await ADAPTER.open(a_toolkit(api.url, tmp_path, options={"link_previews": True}))
    await connection.post(DM, HELLO, key="k", anchor="")
    await connection.close()
    assert "link_preview_options" not in only(api.made("sendMessage")).parameters


async def test_text_that_no_encoding_knows_is_sent_all_the_same(bot: TelegramConnection, api: BotApi) -> None:
    await bot.post(DM, Part(body={"text": "half \ud83d", "entities": []}), key="k", anchor="")
    assert only(api.made("sendMessage")).parameters["text"] == "half ?"


async def test_filling_shows_the_part_with_its_buttons(bot: TelegramConnection, api: BotApi) -> None:
    markup = {"inline_keyboard": [[{"text": "Stop", "callback_data": "/stop"}]]}
    await bot.fill(DM, "7", Part(body={"text": "Hello", "entities": [], "reply_markup": markup}))
    parameters = only(api.made("editMessageText")).parameters
    assert (parameters["message_id"], parameters["text"], parameters["reply_markup"]) == (7, "Hello", markup)


async def test_b11_a_message_that_shows_it_already_is_a_success(bot: TelegramConnection, api: BotApi) -> None:
    unchanged = "Bad Request: message is not modified: specified new message content is exactly the same"
    api.plan("editMessageText", refusal(400, unchanged))
    await bot.fill(DM, "7", HELLO)
    assert len(api.made("editMessageText")) == 1
    assert api.made("sendMessage") == []


async def test_removing_what_is_gone_is_no_error(bot: TelegramConnection, api: BotApi) -> None:
    api.plan("deleteMessage", result(True), refusal(400, "Bad Request: message to delete not found"))
    await bot.remove(DM, "7")
    await bot.remove(DM, "7")
    assert api.made("deleteMessage")[0].parameters == {"chat_id": 501, "message_id": 7}


async def test_nothing_can_be_found_again(bot: TelegramConnection) -> None:
    assert await bot.find(DM, key="k") is None


# --- errors --------------------------------------------------------------------------------------------------


async def test_b12_a_request_to_wait_carries_its_seconds(bot: TelegramConnection, api: BotApi) -> None:
    for method in ("editMessageText", "sendMessage"):
        api.plan(method, refusal(429, "Too Many Requests: retry after 7", retry_after=7))
    with pytest.raises(RateLimited) as filled:
        await bot.fill(DM, "7", HELLO)
    with pytest.raises(RateLimited) as posted:
        await bot.post(DM, HELLO, key="k", anchor="")
    assert (filled.value.retry_after, posted.value.retry_after) == (7.0, 7.0)


async def test_b12_a_request_to_wait_without_seconds_still_waits(bot: TelegramConnection, api: BotApi) -> None:
    api.plan("sendMessage", Say(status=429, body=b"slow down"))
    with pytest.raises(RateLimited) as caught:
        await bot.post(DM, HELLO, key="k", anchor="")
    assert caught.value.retry_after > 0


@pytest.mark.parametrize(
    ("say", "posting", "filling"),
    [
        (refusal(400, "Bad Request: can't parse entities"), Refused, Refused),
        (refusal(400, "Bad Request: chat not found"), Gone, Gone),
        (refusal(400, "Bad Request: message thread not found"), Gone, Gone),
        (refusal(400, "Bad Request: TOPIC_CLOSED"), Gone, Gone),
        (refusal(403, "Forbidden: bot was blocked by the user"), Gone, Gone),
        (refusal(400, "Bad Request: message to edit not found"), Vanished, Vanished),
        (refusal(400, "Bad Request: message can't be edited"), Vanished, Vanished),
        (refusal(401, "Unauthorized"), Unreachable, Unreachable),
        (refusal(413, "Request Entity Too Large"), Refused, Refused),
        (refusal(502, "Bad Gateway"), Unknown, Unreachable),
        (Say(status=504, body=b"<html>late</html>"), Unknown, Unreachable),
        (Say(status=200, body=b"<html>hello</html>"), Unknown, Unreachable),
        (Say(hang_up=True), Unknown, Unreachable),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(getattr(value, "status", "")),
)
async def test_each_answer_is_the_instruction_it_stands_for(
    bot: TelegramConnection, api: BotApi, say: Say, posting: type[DeliveryError], filling: type[DeliveryError]
) -> None:
    api.plan("sendMessage", say)
    api.plan("editMessageText", say)
    with pytest.raises(DeliveryError) as posted:
        await bot.post(DM, HELLO, key="k", anchor="")
    with pytest.raises(DeliveryError) as filled:
        await bot.fill(DM, "7", HELLO)
    assert (type(posted.value), type(filled.value)) == (posting, filling)
    assert TOKEN not in _everything(posted.value) + _everything(filled.value)


async def test_what_was_never_written_can_be_sent_again(api: BotApi, tmp_path: Path) -> None:
    connection = await open_connection(a_toolkit(api.url, tmp_path))
    await connection.close()
    with pytest.raises(Unreachable, match="cannot be reached"):
        await connection.post(DM, HELLO, key="k", anchor="")


async def test_a_message_without_an_id_is_not_known_to_stand(bot: TelegramConnection, api: BotApi) -> None:
    api.plan("sendMessage", result(True))
    with pytest.raises(Unknown):
        await bot.post(DM, HELLO, key="k", anchor="")


async def test_a_group_that_moved_gets_the_message_in_its_new_chat_and_intake_is_told(
    bot: TelegramConnection, api: BotApi
) -> None:
    old = Room(platform="telegram", workspace="4242", chat="-4001")
    upgraded = "Bad Request: group chat was upgraded to a supergroup chat"
    api.plan("sendMessage", refusal(400, upgraded, migrate_to_chat_id=-1001234500000))
    intake = Intake()
    async with listening(bot, intake):
        await api.wait_for(lambda: bool(api.polls))
        assert await bot.post(old, HELLO, key="k", anchor="5") == "101"
    first, second = api.made("sendMessage")
    assert (first.parameters["chat_id"], second.parameters["chat_id"]) == (-4001, -1001234500000)
    assert "reply_parameters" not in second.parameters
    (event,) = intake.events
    assert (event.kind, event.room, event.moved_to) == (
        Kind.MOVED,
        old,
        Room(platform="telegram", workspace="4242", chat="-1001234500000"),
    )


async def test_a_message_that_stayed_behind_in_the_old_chat_is_posted_anew(
    bot: TelegramConnection, api: BotApi
) -> None:
    upgraded = "Bad Request: group chat was upgraded to a supergroup chat"
    api.plan("editMessageText", refusal(400, upgraded, migrate_to_chat_id=-1001234500000))
    intake = Intake()
    intake.busy = 1
    async with listening(bot, intake):
        await api.wait_for(lambda: bool(api.polls))
        with pytest.raises(Vanished):
            await bot.fill(Room(platform="telegram", workspace="4242", chat="-4001"), "7", HELLO)


# --- files out -----------------------------------------------------------------------------------------------


def a_file_part(path: Path, **changes: Any) -> Part:
    media_type = "image/png" if path.suffix == ".png" else "text/plain"
    (part,) = ADAPTER.render(Reply(text="look", files=(OutFile(name=path.name, path=path, media_type=media_type),)))
    assert part.kind is PartKind.FILE
    return Part(kind=PartKind.FILE, body=part.body | changes)


async def test_a_picture_is_posted_as_a_photo_and_other_files_as_documents(
    bot: TelegramConnection, api: BotApi, tmp_path: Path
) -> None:
    (tmp_path / "chart.png").write_bytes(b"PNG")
    (tmp_path / "notes.txt").write_bytes(b"notes")
    await bot.post(TOPIC, a_file_part(tmp_path / "chart.png"), key="a", anchor="3")
    await bot.post(DM, a_file_part(tmp_path / "notes.txt"), key="b", anchor="")
    photo, document = only(api.made("sendPhoto")), only(api.made("sendDocument"))
    assert photo.files == {"photo": ("chart.png", b"PNG")}
    assert (photo.parameters["caption"], photo.parameters["message_thread_id"]) == ("look", 42)
    assert document.files == {"document": ("notes.txt", b"notes")}


async def test_a_placeholder_becomes_a_file_by_an_edit(bot: TelegramConnection, api: BotApi, tmp_path: Path) -> None:
    (tmp_path / "chart.png").write_bytes(b"PNG")
    await bot.fill(DM, "7", a_file_part(tmp_path / "chart.png"))
    call = only(api.made("editMessageMedia"))
    assert call.parameters["message_id"] == 7
    assert call.parameters["media"] == {"type": "photo", "media": "attach://upload", "caption": "look"}
    assert call.files == {"upload": ("chart.png", b"PNG")}


@pytest.mark.parametrize("trouble", ["PHOTO_INVALID_DIMENSIONS", "IMAGE_PROCESS_FAILED"])
async def test_a_picture_that_is_no_photo_goes_as_a_document(
    bot: TelegramConnection, api: BotApi, tmp_path: Path, trouble: str
) -> None:
    (tmp_path / "long.png").write_bytes(b"PNG")
    api.plan("editMessageMedia", refusal(400, f"Bad Request: {trouble}"))
    await bot.fill(DM, "7", a_file_part(tmp_path / "long.png"))
    second = api.made("editMessageMedia")[1]
    assert second.parameters["media"]["type"] == "document"
    assert second.files["upload"][1] == b"PNG"


async def test_a_picture_above_the_size_of_photos_goes_as_a_document(
    bot: TelegramConnection, api: BotApi, tmp_path: Path
) -> None:
    with (tmp_path / "big.png").open("wb") as out:
        out.truncate(10_000_001)
    assert await bot.post(DM, a_file_part(tmp_path / "big.png"), key="k", anchor="") == "101"
    assert len(only(api.made("sendDocument")).files["document"][1]) == 10_000_001


@pytest.mark.parametrize(("size", "because"), [(50_000_001, "50,000,000"), (0, "empty"), (None, "cannot be sent")])
async def test_a_file_that_cannot_be_sent_is_refused_before_it_is_sent(
    bot: TelegramConnection, api: BotApi, tmp_path: Path, size: int | None, because: str
) -> None:
    path = tmp_path / "data.txt"
    if size is not None:
        with path.open("wb") as out:
            out.truncate(size)
    with pytest.raises(Refused, match=because):
        await bot.post(DM, a_file_part(path), key="k", anchor="")
    assert api.made("sendDocument") == []


async def test_a_file_that_cannot_be_opened_is_refused(bot: TelegramConnection, api: BotApi, tmp_path: Path) -> None:
    # A folder has a size and cannot be read; root, as whom tests may run, could read every file.
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(Refused, match=r"cannot be sent folder\.txt: Is a directory"):
        await bot.post(DM, a_file_part(tmp_path / "folder.txt"), key="k", anchor="")


# --- files in ------------------------------------------------------------------------------------------------


PDF = Attachment(name="f.pdf", handle="F-1", media_type="application/pdf")


async def test_an_attachment_is_written_to_a_new_file(bot: TelegramConnection, api: BotApi, tmp_path: Path) -> None:
    api.file_bytes = bytes(range(256)) * 4000
    await bot.fetch(PDF, tmp_path / "f.pdf", limit=2_000_000)
    assert (tmp_path / "f.pdf").read_bytes() == api.file_bytes
    assert only(api.made("getFile")).parameters == {"file_id": "F-1"}


async def test_an_attachment_of_exactly_the_limit_is_taken(
    bot: TelegramConnection, api: BotApi, tmp_path: Path
) -> None:
    api.file_bytes = b"x" * 1000
    await bot.fetch(PDF, tmp_path / "f.pdf", limit=1000)
    assert (tmp_path / "f.pdf").stat().st_size == 1000


@pytest.mark.parametrize("told", [1001, 5, None], ids=["told", "told wrong", "not told"])
async def test_an_attachment_above_the_limit_is_refused_and_leaves_nothing(
    bot: TelegramConnection, api: BotApi, tmp_path: Path, told: int | None
) -> None:
    api.file_bytes = b"x" * 1001
    api.plan("getFile", result({"file_id": "F", "file_unique_id": "u", "file_size": told, "file_path": "docs/f 1.pdf"}))
    with pytest.raises(Refused, match="at most 1,000 bytes"):
        await bot.fetch(PDF, tmp_path / "f.pdf", limit=1000)
    assert not (tmp_path / "f.pdf").exists()


async def test_an_attachment_that_is_gone_is_refused(bot: TelegramConnection, api: BotApi, tmp_path: Path) -> None:
    api.plan("getFile", refusal(400, "Bad Request: file is too big"))
    with pytest.raises(Refused, match=r"f\.pdf"):
        await bot.fetch(PDF, tmp_path / "f.pdf", limit=1000)


# --- transport -----------------------------------------------------------------------------------------------


@pytest.fixture
async def transport() -> AsyncIterator[AiohttpRequest]:
    async with AiohttpRequest() as request:
        yield request


async def test_silence_after_the_call_may_mean_that_it_was_executed(api: BotApi, transport: AiohttpRequest) -> None:
    api.plan("sendMessage", Say(silent=True))
    with pytest.raises(TimedOut) as caught:
        await transport.post(f"{api.url}/bot{TOKEN}/sendMessage", read_timeout=0.05, write_timeout=0.0)
    assert len(api.made("sendMessage")) == 1
    assert isinstance(translate(caught.value, repeatable=False), Unknown)
    assert isinstance(translate(caught.value, repeatable=True), Unreachable)


async def test_without_a_connection_nothing_was_executed(transport: AiohttpRequest) -> None:
    for url in (f"http://127.0.0.1:{_closed_port()}/bot{TOKEN}/sendMessage", f"http://[::1/bot{TOKEN}/sendMessage"):
        with pytest.raises(NeverSent) as caught:
            await transport.post(url)
        assert isinstance(translate(caught.value, repeatable=False), Unreachable)
        assert TOKEN not in _everything(caught.value)


async def test_no_proxy_of_the_environment_sees_the_token(
    api: BotApi, transport: AiohttpRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{_closed_port()}")
    assert await transport.post(f"{api.url}/bot{TOKEN}/deleteWebhook") is True


# --- webhook -------------------------------------------------------------------------------------------------


@asynccontextmanager
async def hooked(api: BotApi, home: Path) -> AsyncIterator[tuple[TelegramConnection, str]]:
    server = WebServer("127.0.0.1", 0)
    environment = {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": api.url, "TELEGRAM_WEBHOOK_SECRET": SECRET}
    options = {"webhook_url": "https://bot.example.org/"}
    connection = await ADAPTER.open(
        a_toolkit(api.url, home, environment=environment, options=options, ports={"web": server})
    )
    assert isinstance(connection, TelegramConnection)
    await server.start()
    try:
        yield connection, server.url + PATH
    finally:
        await connection.close()
        await server.stop()


async def _push(url: str, body: bytes | dict[str, Any] | list[str], secret: str = SECRET) -> int:
    """Call as the platform does, and return the status."""
    data = BytesIO(body if isinstance(body, bytes) else json.dumps(body).encode())
    headers = {SECRET_HEADER: secret} if secret else {}
    async with ClientSession() as client, client.post(url, data=data, headers=headers) as response:
        return response.status


async def _push_until_taken(url: str, body: bytes | dict[str, Any] | list[str]) -> int:
    """Call again while we are told to come later, as the platform does."""
    async with asyncio.timeout(10):
        while (status := await _push(url, body)) == 503:
            pass
    return status


async def test_a_webhook_is_set_with_its_secret(api: BotApi, tmp_path: Path) -> None:
    async with hooked(api, tmp_path):
        parameters = only(api.made("setWebhook")).parameters
    assert parameters["url"] == "https://bot.example.org/webhooks/telegram"
    assert parameters["secret_token"] == SECRET
    assert "drop_pending_updates" not in parameters
    assert api.made("deleteWebhook") == []


async def test_a_webhook_answers_only_after_the_commit(api: BotApi, tmp_path: Path) -> None:
    async with hooked(api, tmp_path) as (bot, url):
        intake = Intake()
        intake.busy = 1
        assert await _push(url, an_update(9001)) == 503
        assert intake.busy == 1
        async with listening(bot, intake):
            assert await _push_until_taken(url, an_update(9001)) == 200
    assert intake.busy == 0
    assert [event.id for event in intake.events] == ["telegram:4242:9001"]


@pytest.mark.parametrize("secret", ["", "wrong", SECRET + "x", "häßlich"])
async def test_a_webhook_call_without_the_secret_is_refused(api: BotApi, tmp_path: Path, secret: str) -> None:
    async with hooked(api, tmp_path) as (bot, url):
        intake = Intake()
        async with listening(bot, intake):
            assert await _push_until_taken(url, an_update(9001)) == 200
            assert await _push(url, an_update(9002), secret) == 401
    assert [event.id for event in intake.events] == ["telegram:4242:9001"]


async def test_a_webhook_skips_what_is_malformed_so_that_it_does_not_come_for_ever(api: BotApi, tmp_path: Path) -> None:
    async with hooked(api, tmp_path) as (bot, url), listening(bot, Intake()):
        assert await _push_until_taken(url, {"update_id": 9001, "message": {"text": 5}}) == 200
        assert await _push(url, ["not", "an", "update"]) == 200


async def test_a_webhook_takes_no_endless_body_and_no_nonsense(api: BotApi, tmp_path: Path) -> None:
    async with hooked(api, tmp_path) as (bot, url), listening(bot, Intake()):
        assert await _push_until_taken(url, b" " * 1_100_000) == 413
        assert await _push(url, b"{") == 400


async def test_a_webhook_without_a_proper_secret_does_not_start(api: BotApi, tmp_path: Path) -> None:
    toolkit = a_toolkit(api.url, tmp_path, options={"webhook_url": "https://bot.example.org"})
    with pytest.raises(StartError, match="TELEGRAM_WEBHOOK_SECRET"):
        await ADAPTER.open(toolkit)


# --- doctor, secrets -----------------------------------------------------------------------------------------


async def test_the_doctor_finds_a_healthy_bot(api: BotApi, tmp_path: Path) -> None:
    checks = await ADAPTER.doctor(a_toolkit(api.url, tmp_path))
    assert all(check.ok for check in checks)
    assert any("@OpsBot" in check.title for check in checks)
    assert {call.method for call in api.calls} == {"getMe", "getWebhookInfo"}


async def test_the_doctor_names_the_cure_for_a_rejected_token(api: BotApi, tmp_path: Path) -> None:
    api.plan("getMe", refusal(401, "Unauthorized"))
    (check,) = await ADAPTER.doctor(a_toolkit(api.url, tmp_path))
    assert not check.ok
    assert "BotFather" in check.fix


async def test_the_doctor_sees_a_webhook_that_is_in_the_way(api: BotApi, tmp_path: Path) -> None:
    api.plan("getWebhookInfo", result({"url": "https://elsewhere.example.org"}))
    checks = await ADAPTER.doctor(a_toolkit(api.url, tmp_path))
    assert ["https://elsewhere.example.org" in check.fix for check in checks if not check.ok] == [True]


def test_a_connection_that_is_found_broken_does_not_show_the_token() -> None:
    # What the HTTP client raises when a call is written into a connection that just ended.
    broken = ClientOSError(errno.EPIPE, f"Can not write request body for https://api.example/bot{TOKEN}/sendMessage")
    with pytest.raises(NetworkError, match="Broken pipe") as caught, translated():
        raise broken
    assert TOKEN not in _everything(caught.value)


async def test_no_secret_is_in_any_log_line_or_error(
    api: BotApi, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with capture_logs() as logs, caplog.at_level("INFO"):
        connection = await ADAPTER.open(a_toolkit(api.url, tmp_path))
        troubles = [Say(hang_up=True), refusal(401, "Unauthorized"), refusal(409, "Conflict"), refusal(500, "Oh")]
        api.plan("getUpdates", *troubles)
        async with listening(connection, Intake()):
            await api.wait_for(lambda: len(api.made("getUpdates")) == 5)
        api.plan("getFile", result({"file_path": "elsewhere"}))
        errors: list[DeliveryError] = []
        for say in troubles:
            api.plan("sendMessage", say)
            with pytest.raises(DeliveryError) as caught:
                await connection.post(DM, HELLO, key="k", anchor="")
            errors.append(caught.value)
        with pytest.raises(DeliveryError) as caught:
            await connection.fetch(PDF, tmp_path / "f.pdf", limit=1000)
        await connection.close()
    assert logs
    secret = TOKEN.split(":")[1]
    shown = [str(logs), caplog.text, *(_everything(error) for error in (*errors, caught.value))]
    assert all(secret not in text for text in shown)


def _everything(error: BaseException) -> str:
    """Return an error as a log shows it: with the errors it came from."""
    return "".join(traceback.format_exception(error)) + repr(error)


def _closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
