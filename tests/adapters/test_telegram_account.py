"""A real account at the simulated platform: what people do comes in, what we send stands there."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from adapters._shared.simulator.bodies import Upload
from adapters._shared.simulator.people import Person
from adapters.telegram import ADAPTER, texts
from adapters.telegram.simulator import TelegramSimulator
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.simulator.place import Topic
from bot.adapter import Accepted, Connection, Toolkit
from bot.cards import Action, Card
from bot.errors import Gone, RateLimited, Unknown, Vanished
from bot.events import Event, Kind, Room
from bot.replies import OutFile, Part, Reply
from bot.system_clock import SystemClock
from tests.support.telegram_schema import judge, skip_without_paper

TOKEN = "4242:a-token-of-the-simulator"
HELLO = Part(body={"text": "Hello", "entities": []})


class Desk:
    """Keeps what was delivered, and lets tests wait for it."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._changed = asyncio.Condition()

    async def __call__(self, events: Sequence[Event]) -> Sequence[Accepted]:
        async with self._changed:
            self.events += events
            self._changed.notify_all()
        return [Accepted() for _ in events]

    async def has(self, count: int) -> list[Event]:
        async with asyncio.timeout(10), self._changed:
            await self._changed.wait_for(lambda: len(self.events) >= count)
        return self.events


@pytest.fixture
async def simulator() -> AsyncIterator[TelegramSimulator]:
    simulator = TelegramSimulator(username="OpsBot", rate_limits=False)
    simulator.bot(4242)
    await simulator.start()
    yield simulator
    await simulator.stop()


@asynccontextmanager
async def online(simulator: TelegramSimulator, home: Path, desk: Desk) -> AsyncIterator[Connection]:
    toolkit = Toolkit(
        environment={"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": simulator.url},
        options=dict(ADAPTER.options),
        home=home,
        clock=SystemClock(),
        commands=(),
        ports={},
    )
    connection = await ADAPTER.open(toolkit)
    task = asyncio.create_task(connection.listen(desk))
    try:
        yield connection
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await connection.close()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
async def bot(simulator: TelegramSimulator, tmp_path: Path, desk: Desk) -> AsyncIterator[Connection]:
    async with online(simulator, tmp_path, desk) as connection:
        yield connection


def room_of(chat: Chat, topic: str = "") -> Room:
    return Room(platform="telegram", workspace="4242", chat=str(chat.id), topic=topic)


def a_topic(forum: Chat, person: Person) -> Topic:
    """Open a topic. Its id is that of its first message, and 1 belongs to the general topic."""
    forum.say(person, "welcome")
    return forum.add_topic("Deploys", person)


def a_picture(width: int = 2, height: int = 2) -> bytes:
    """Return a white PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + b"\xff" * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


async def test_a_question_is_answered_by_filling_the_placeholder(
    simulator: TelegramSimulator, bot: Connection, desk: Desk
) -> None:
    ann = simulator.person("Ann")
    chat = simulator.private(ann)
    asked = chat.say(ann, "how are you?")
    (event,) = await desk.has(1)
    assert (event.room, event.direct, event.text, event.author.name) == (room_of(chat), True, "how are you?", "Ann")
    message_id = await bot.post(event.room, None, key="k", anchor=event.message_id)
    (shown,) = chat.shown()
    assert (shown.id, shown.text, shown.reply_to) == (message_id, texts.PLACEHOLDER, str(asked.id))
    (part,) = ADAPTER.render(Reply(text="**Well**, thanks"))
    await bot.fill(event.room, message_id, part)
    (shown,) = chat.shown()
    assert shown.text == "Well, thanks"


async def test_b11_filling_twice_changes_nothing(simulator: TelegramSimulator, bot: Connection) -> None:
    chat = simulator.private(simulator.person("Ann"))
    message_id = await bot.post(room_of(chat), HELLO, key="k", anchor="")
    await bot.fill(room_of(chat), message_id, HELLO)
    assert [shown.text for shown in chat.shown()] == ["Hello"]


async def test_b17_commands_of_a_group_reach_whom_they_name(
    simulator: TelegramSimulator, bot: Connection, desk: Desk
) -> None:
    ann = simulator.person("Ann")
    group = simulator.group("Ops", [ann])
    simulator.bot().privacy = False
    for text in ("/status@OpsBot", "/status@opsbot", "/STATUS@OpsBot", "/status", "/status@OtherBot"):
        group.say(ann, text)
    await desk.has(5)
    said = [event for event in desk.events if event.kind is Kind.MESSAGE]
    assert [event.text.lower() for event in said if not event.for_other_bot] == ["/status"] * 4
    assert [event.text for event in said if event.for_other_bot] == ["/status@OtherBot"]


async def test_b19_answers_stay_in_their_topic_and_general_has_none(
    simulator: TelegramSimulator, bot: Connection, desk: Desk
) -> None:
    ann = simulator.person("Ann")
    forum = simulator.forum("Ops forum", [ann])
    topic = a_topic(forum, ann)
    forum.say(ann, "@OpsBot in general", topic=1)
    forum.say(ann, "@OpsBot in the topic", topic=topic)
    await desk.has(3)
    general, inside = (event for event in desk.events if event.mentions_bot)
    assert (general.room, inside.room) == (room_of(forum), room_of(forum, str(topic.id)))
    assert inside.title == "Deploys"
    for event in (general, inside):
        await bot.post(event.room, HELLO, key="k", anchor=event.message_id)
    first, second = simulator.calls.of("sendMessage")
    assert "message_thread_id" not in first.params
    assert str(second.params["message_thread_id"]) == str(topic.id)


async def test_b30_after_a_restart_only_what_was_never_confirmed_comes_again(
    simulator: TelegramSimulator, tmp_path: Path
) -> None:
    ann = simulator.person("Ann")
    chat = simulator.private(ann)
    chat.say(ann, "one")
    before = Desk()
    async with online(simulator, tmp_path, before):
        await before.has(1)
    chat.say(ann, "two")
    after = Desk()
    async with online(simulator, tmp_path, after):
        while "two" not in [event.text for event in after.events]:
            await after.has(len(after.events) + 1)
    ids = [event.id for event in after.events]
    assert len(ids) == len(set(ids))
    assert set(ids) - {event.id for event in before.events} == {after.events[-1].id}


async def test_b59_edits_and_anonymous_senders_come_in_and_polling_goes_on(
    simulator: TelegramSimulator, bot: Connection, desk: Desk
) -> None:
    ann = simulator.person("Ann")
    simulator.bot().privacy = False
    group, channel = simulator.group("Ops", [ann], supergroup=True), simulator.channel("News")
    message = group.say(ann, "first")
    group.edit(message, "second")
    channel.edit(channel.post("news"), "newer news")
    group.say_as_chat("hidden", bare=True)
    group.say(ann, "last")
    await desk.has(6)
    told = [(event.kind, event.text) for event in desk.events if event.kind in (Kind.MESSAGE, Kind.EDIT)]
    assert told == [
        (Kind.MESSAGE, "first"),
        (Kind.EDIT, "second"),
        (Kind.MESSAGE, "news"),
        (Kind.EDIT, "newer news"),
        (Kind.MESSAGE, "hidden"),
        (Kind.MESSAGE, "last"),
    ]


async def test_b60_an_album_comes_with_its_group_and_the_text_behind_it_without(
    simulator: TelegramSimulator, bot: Connection, desk: Desk, tmp_path: Path
) -> None:
    ann = simulator.person("Ann")
    chat = simulator.private(ann)
    chat.send_album(ann, [(a_picture(), "before"), (a_picture(), ""), (a_picture(), "after")])
    chat.say(ann, "and now?")
    events = await desk.has(4)
    assert [event.text for event in events] == ["before", "", "after", "and now?"]
    assert len({event.group for event in events[:3]}) == 1
    assert events[3].group == "" != events[0].group
    await bot.fetch(events[0].files[0], tmp_path / "first.png", limit=1_000_000)
    assert (tmp_path / "first.png").read_bytes() == a_picture()


async def test_a_pressed_button_says_its_word_and_stops_spinning(
    simulator: TelegramSimulator, bot: Connection, desk: Desk
) -> None:
    ann = simulator.person("Ann")
    chat = simulator.private(ann)
    (part,) = ADAPTER.render(Reply(card=Card(text="Working", actions=(Action(label="Stop", value="/stop"),))))
    message_id = await bot.post(room_of(chat), part, key="k", anchor="")
    press = chat.press(ann, message_id, "Stop")
    (event,) = await desk.has(1)
    assert (event.kind, event.text, event.message_id) == (Kind.CLICK, "/stop", message_id)
    await simulator.calls.wait(lambda call: call.method == "answerCallbackQuery" and call.status == 200)
    assert chat.notice(press) == ""


async def test_files_stand_as_photo_and_document_whether_posted_or_filled(
    simulator: TelegramSimulator, bot: Connection, tmp_path: Path
) -> None:
    chat = simulator.private(simulator.person("Ann"))
    (tmp_path / "chart.png").write_bytes(a_picture())
    (tmp_path / "notes.txt").write_text("notes")
    chart = OutFile(name="chart.png", path=tmp_path / "chart.png", media_type="image/png")
    notes = OutFile(name="notes.txt", path=tmp_path / "notes.txt", media_type="text/plain")
    (photo,), (document,) = (ADAPTER.render(Reply(text="**look**", files=(file,))) for file in (chart, notes))
    for part in (photo, document):
        await bot.post(room_of(chat), part, key="k", anchor="")
        message_id = await bot.post(room_of(chat), None, key="k", anchor="")
        await bot.fill(room_of(chat), message_id, part)
    assert [(shown.text, len(shown.files)) for shown in chat.shown()] == [("look", 1)] * 4


async def test_a_picture_too_long_for_a_photo_stands_as_a_document(
    simulator: TelegramSimulator, bot: Connection, tmp_path: Path
) -> None:
    chat = simulator.private(simulator.person("Ann"))
    (tmp_path / "long.png").write_bytes(a_picture(1, 20_000))
    long = OutFile(name="long.png", path=tmp_path / "long.png", media_type="image/png")
    (part,) = ADAPTER.render(Reply(files=(long,)))
    await bot.post(room_of(chat), part, key="k", anchor="")
    assert [shown.files for shown in chat.shown()] == [("long.png",)]


async def test_a_document_is_fetched_byte_for_byte(
    simulator: TelegramSimulator, bot: Connection, desk: Desk, tmp_path: Path
) -> None:
    ann = simulator.person("Ann")
    data = bytes(range(256)) * 2000
    upload = Upload(name="data.bin", data=data, media_type="application/octet-stream")
    simulator.private(ann).send_document(ann, upload, "here")
    (event,) = await desk.has(1)
    assert (event.text, event.files[0].name, event.files[0].size) == ("here", "data.bin", len(data))
    await bot.fetch(event.files[0], tmp_path / "data.bin", limit=len(data))
    assert (tmp_path / "data.bin").read_bytes() == data


async def test_closed_rooms_lost_messages_and_lost_answers_are_told_apart(
    simulator: TelegramSimulator, bot: Connection
) -> None:
    chat = simulator.private(simulator.person("Ann"))
    message_id = await bot.post(room_of(chat), HELLO, key="k", anchor="")
    simulator.faults.lose_answer("sendMessage")
    with pytest.raises(Unknown):
        await bot.post(room_of(chat), HELLO, key="k", anchor="")
    simulator.faults.too_fast("editMessageText", retry_after=7)
    with pytest.raises(RateLimited) as caught:
        await bot.fill(room_of(chat), message_id, HELLO)
    assert caught.value.retry_after == 7
    await bot.remove(room_of(chat), message_id)
    await bot.remove(room_of(chat), message_id)
    with pytest.raises(Vanished):
        await bot.fill(room_of(chat), message_id, HELLO)
    simulator.block(chat)
    with pytest.raises(Gone):
        await bot.post(room_of(chat), HELLO, key="k", anchor="")


async def test_a_group_that_becomes_a_supergroup_is_followed(
    simulator: TelegramSimulator, bot: Connection, desk: Desk
) -> None:
    ann = simulator.person("Ann")
    old = simulator.group("Ops", [ann])
    new = simulator.migrate(old)
    await bot.post(room_of(old), HELLO, key="k", anchor="")
    assert [shown.text for shown in new.shown()] == ["Hello"]
    while not [event for event in desk.events if event.kind is Kind.MOVED]:
        await desk.has(len(desk.events) + 1)
    moves = [event for event in desk.events if event.kind is Kind.MOVED]
    assert {(event.room, event.moved_to) for event in moves} == {(room_of(old), room_of(new))}


async def test_every_call_agrees_with_the_published_description(
    simulator: TelegramSimulator, bot: Connection, tmp_path: Path
) -> None:
    skip_without_paper()
    ann = simulator.person("Ann")
    forum = simulator.forum("Ops forum", [ann])
    topic = a_topic(forum, ann)
    (tmp_path / "chart.png").write_bytes(a_picture())
    chart = OutFile(name="chart.png", path=tmp_path / "chart.png", media_type="image/png")
    card = Card(text="Choose", actions=(Action(label="Stop", value="/stop"),))
    message_id = ""
    for reply in (Reply(text="**a** [b](https://example.org) `c`"), Reply(card=card), Reply(files=(chart,))):
        for part in ADAPTER.render(reply):
            await bot.post(room_of(forum, str(topic.id)), part, key="k", anchor="")
            message_id = await bot.post(room_of(forum), None, key="k", anchor="1")
            await bot.fill(room_of(forum), message_id, part)
    await bot.remove(room_of(forum), message_id)
    assert judge(simulator) == []
    assert simulator.calls.problems() == []
