"""The addresses under `/sim`: the same verbs for the page and for other languages, and for nobody else's pages."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
import telegram
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from adapters.telegram.simulator import TelegramSimulator
from adapters.telegram.simulator.trial import SIMULATOR
from bot.simulator import Simulator
from tests.support.pictures import png


async def post(sim: TelegramSimulator, verb: str, status: int = 200, **fields: Any) -> dict[str, Any]:
    async with aiohttp.ClientSession() as session, session.post(f"{sim.url}/sim/{verb}", json=fields) as response:
        body: dict[str, Any] = await response.json()
        assert response.status == status, body
        return body


async def get(sim: TelegramSimulator, path: str) -> Any:
    async with aiohttp.ClientSession() as session, session.get(f"{sim.url}{path}") as response:
        assert response.status == 200
        return await response.json()


async def upload(sim: TelegramSimulator, verb: str, files: list[tuple[str, bytes]], **fields: str) -> dict[str, Any]:
    form = aiohttp.FormData()
    for name, value in fields.items():
        form.add_field(name, value)
    for number, (name, data) in enumerate(files):
        form.add_field(f"file{number}", data, filename=name, content_type="application/octet-stream")
    async with (
        aiohttp.ClientSession(headers={"X-Simulator": "test"}) as session,
        session.post(f"{sim.url}/sim/{verb}", data=form) as response,
    ):
        assert response.status == 200, await response.text()
        body: dict[str, Any] = await response.json()
        return body


async def test_a_conversation_over_http(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    key = (await post(sim, "private", person="Ann"))["chat"]
    said = await post(sim, "say", chat=key, text="hello")
    [update] = await bot.get_updates(timeout=5)
    assert update.message is not None and update.message.text == "hello"
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Go", callback_data="go")]])
    sent = await update.message.reply_text("ready?", reply_markup=keyboard, do_quote=True)
    pressed = await post(sim, "click", chat=key, message=sent.message_id, label="Go")
    assert pressed["press"]
    chat = await get(sim, f"/sim/chat?key={key}")
    assert [message["text"] for message in chat["messages"]] == ["hello", "ready?"]
    assert chat["messages"][1]["reply_to"] == {"id": said["id"], "author": "Ann", "text": "hello"}
    assert chat["messages"][1]["buttons"] == [[{"text": "Go", "callback_data": "go"}]]
    calls = await get(sim, "/sim/calls")
    assert [call["method"] for call in calls] == ["getMe", "getUpdates", "sendMessage"]


async def test_groups_topics_edits_and_reactions_over_http(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    key = (await post(sim, "group", kind="forum", title="Ops", people=["Ann", "Bob"]))["chat"]
    topic = (await post(sim, "topic", chat=key, name="Deploys"))["topic"]
    said = await post(sim, "say", chat=key, person="Bob", text="frist", topic=topic)
    await post(sim, "edit", chat=key, message=said["id"], text="first")
    await post(sim, "react", chat=key, person="Ann", message=said["id"], emoji="👍")
    chat = await get(sim, f"/sim/chat?key={key}")
    [message] = [one for one in chat["messages"] if one["note"] is None]
    assert (message["text"], message["topic"], message["reactions"]) == ("first", topic, ["👍"])
    assert message["edits"] == ["frist"]
    await post(sim, "delete", chat=key, message=said["id"])
    state = await get(sim, "/sim/state")
    assert state["chats"][0]["topics"] == [{"id": topic, "name": "Deploys"}]
    assert [person["name"] for person in state["people"]] == ["Ann", "Bob"]


async def test_files_over_http(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    key = (await post(sim, "private", person="Ann"))["chat"]
    picture = await upload(sim, "photo", [("a.png", png())], chat=key, caption="look")
    await upload(sim, "document", [("a.txt", b"text")], chat=key)
    album = await upload(sim, "album", [("a.png", png()), ("b.png", png())], chat=key, caption="both")
    assert len(album["messages"]) == 2
    updates = await bot.get_updates(timeout=5)
    assert [bool(update.message and update.message.photo) for update in updates] == [True, False, True, True]
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{sim.url}{picture['photo']['url']}") as response:
            assert response.content_type == "image/png" and await response.read() == png()
        document = updates[1].message.document if updates[1].message else None
        assert document is not None
        async with session.get(f"{sim.url}/sim/file/{document.file_id}") as response:
            assert response.headers["Content-Disposition"] == "attachment; filename*=UTF-8''a.txt"


async def test_what_happens_to_a_chat_over_http(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    private = (await post(sim, "private", person="Ann"))["chat"]
    await post(sim, "member", chat=private, change="block")
    with pytest.raises(telegram.error.Forbidden):
        await bot.send_message(int(private), "x")
    await post(sim, "member", chat=private, change="unblock")
    group = (await post(sim, "group", title="Ops", people=["Ann"]))["chat"]
    moved = (await post(sim, "member", chat=group, change="migrate"))["chat"]
    with pytest.raises(telegram.error.ChatMigrated):
        await bot.send_message(int(group), "x")
    await bot.send_message(int(moved), "x")
    await post(sim, "member", 400, chat=moved, change="migrate")


async def test_faults_updates_and_settings_over_http(sim: TelegramSimulator, bot: telegram.Bot) -> None:
    key = (await post(sim, "private", person="Ann"))["chat"]
    await post(sim, "fault", kind="refuse", method="sendMessage", refusal="chat not found", times=2)
    with pytest.raises(telegram.error.BadRequest):
        await bot.send_message(int(key), "x")
    await post(sim, "calm")
    await bot.send_message(int(key), "x")
    await post(sim, "fault", 400, kind="too_fast")
    await post(sim, "fault", 400, kind="earthquake")
    assert await post(sim, "settings", rate_limits=True, privacy=True) == {"rate_limits": True, "privacy": True}
    await post(sim, "updates", change="hold")
    await post(sim, "say", chat=key, text="held")
    assert await bot.get_updates(timeout=0) == ()
    await post(sim, "updates", change="release")
    assert len(await bot.get_updates(timeout=5)) == 1
    assert await post(sim, "updates", change="disconnect") == {"was_polled": False}


@pytest.mark.parametrize(
    ("verb", "fields", "status"),
    [
        ("say", {"chat": "1", "text": "x"}, 400),
        ("say", {"chat": "1001"}, 400),
        ("say", {"chat": "1001", "text": "x", "reply_to": 99}, 400),
        ("say", {"chat": "1001", "text": "x", "person": "Nobody"}, 400),
        ("click", {"chat": "1001", "message": 1, "label": "No"}, 404),
        ("dance", {}, 400),
    ],
)
async def test_what_cannot_be_done_is_said(
    sim: TelegramSimulator, verb: str, fields: dict[str, Any], status: int
) -> None:
    ann = sim.person("Ann")
    sim.private(ann).say(ann, "hello")
    assert (await post(sim, verb, status, **fields))["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example", "Content-Type": "application/json"},
        {"Host": "evil.example", "Content-Type": "application/json"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "multipart/form-data; boundary=x"},
    ],
)
async def test_pages_of_others_cannot_drive_it(sim: TelegramSimulator, headers: dict[str, str]) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{sim.url}/sim/person", data=b'{"name": "Eve"}', headers=headers) as response,
    ):
        assert response.status in (403, 415)
    assert sim.state.people.all == ()


async def test_a_page_is_told_of_changes(sim: TelegramSimulator) -> None:
    ann = sim.person("Ann")
    chat = sim.private(ann)
    async with aiohttp.ClientSession() as session, session.get(f"{sim.url}/sim/events") as response:
        assert response.content_type == "text/event-stream"
        await response.content.readuntil(b"\n\n")
        chat.say(ann, "hello")
        assert await response.content.readuntil(b"\n\n") == b'data: {"kind":"chat","chat":"1001"}\n\n'


async def test_the_page_and_its_files_come_under_a_strict_policy(sim: TelegramSimulator) -> None:
    async with aiohttp.ClientSession() as session:
        for path in ("/", "/static/page.js", "/static/page.css", "/static/text.js", "/static/icon.svg"):
            async with session.get(sim.url + path) as response:
                assert response.status == 200
                assert "script-src 'self'" in response.headers["Content-Security-Policy"]
        async with session.get(f"{sim.url}/static/../page.py") as response:
            assert response.status == 404


async def test_a_trial_has_somebody_to_speak_as() -> None:
    trial: Simulator = SIMULATOR()
    await trial.start("127.0.0.1", 0)
    try:
        environment = trial.environment
        async with telegram.Bot(
            environment["TELEGRAM_TOKEN"], base_url=f"{environment['TELEGRAM_API_URL']}/bot"
        ) as bot:
            assert bot.username == "deckhand_bot"
        async with aiohttp.ClientSession() as session, session.get(f"{trial.url}/sim/state") as response:
            state = await response.json()
        assert [chat["title"] for chat in state["chats"]] == ["Ann", "Bob", "Launch team", "Operations"]
        assert state["bot"]["connected"]
    finally:
        await trial.stop()
