"""Updates in, events out."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.mentions import Us
from adapters.telegram.receive import receive
from bot.events import Attachment, Author, Event, Kind, Quoted, Room, dump, load

SAMPLES = Path(__file__).parent.parent / "samples" / "telegram"
US = Us(id=4242, username="OpsBot")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
ANN = Author(id="501", name="Ann Lee")

GROUP = Room(platform="telegram", workspace="4242", chat="-1001234500000")
FORUM = Room(platform="telegram", workspace="4242", chat="-1001234500001")
DM = Room(platform="telegram", workspace="4242", chat="501")


def sample(name: str) -> dict[str, Any]:
    update: dict[str, Any] = json.loads((SAMPLES / f"{name}.json").read_text())
    return update


def read(update: dict[str, Any]) -> Event | None:
    return receive(update, US, NOON)


def event_of(name: str) -> Event:
    event = read(sample(name))
    assert event is not None
    return event


def said(text: str, *entities: dict[str, Any], **changes: Any) -> Event:
    update = sample("mention")
    update["message"] |= {"text": text, "entities": list(entities), **changes}
    event = read(update)
    assert event is not None
    return event


def test_a_private_message_is_read_whole() -> None:
    assert event_of("private") == Event(
        id="telegram:4242:9001",
        kind=Kind.MESSAGE,
        room=DM,
        author=ANN,
        received_at=NOON,
        direct=True,
        message_id="1",
        text="hello 👋 there",
        raw_kind="message",
    )


def test_a_redelivered_update_is_the_same_event() -> None:
    assert event_of("private") == event_of("private")


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: str(path.stem))
def test_every_sample_is_read_and_survives_storage(path: Path) -> None:
    event = read(sample(path.stem))
    assert event is None or load(dump(event)) == event


# --- mentions and commands ------------------------------------------------------------------------------


def test_our_mention_counts_by_utf16_offsets_without_case_and_is_left_out() -> None:
    event = event_of("mention")
    assert (event.text, event.mentions_bot, event.for_other_bot) == ("🚀 hey, is api-3 up?", True, False)


@pytest.mark.parametrize(
    ("text", "offset", "heard"),
    [
        ("@OpsBot status", 0, "status"),
        ("@OpsBot, status", 0, "status"),
        ("status @OpsBot", 7, "status"),
        ("tell @OpsBot now", 5, "tell now"),
        ("is it up @OpsBot?", 9, "is it up?"),
        ("@OpsBot", 0, ""),
    ],
)
def test_our_mention_leaves_no_gap(text: str, offset: int, heard: str) -> None:
    event = said(text, {"type": "mention", "offset": offset, "length": 7})
    assert (event.text, event.mentions_bot) == (heard, True)


def test_a_mention_of_us_by_account_counts() -> None:
    event = event_of("text_mention")
    assert (event.text, event.mentions_bot) == ("is the build green", True)


def test_a_mention_of_somebody_else_stays_in_the_text() -> None:
    event = said("ask @bo please", {"type": "mention", "offset": 4, "length": 3})
    assert (event.text, event.mentions_bot) == ("ask @bo please", False)


def test_our_name_inside_code_is_no_mention() -> None:
    event = said("run `@OpsBot`", {"type": "code", "offset": 4, "length": 9})
    assert (event.text, event.mentions_bot) == ("run `@OpsBot`", False)


@pytest.mark.parametrize("marked", [True, False], ids=["with entities", "without entities"])
@pytest.mark.parametrize(
    ("text", "heard", "mentions_bot", "for_other_bot"),
    [
        ("/status@OpsBot", "/status", True, False),
        ("/status@opsbot", "/status", True, False),
        ("/STATUS@OpsBot", "/STATUS", True, False),
        ("/status", "/status", False, False),
        ("/status@OtherBot", "/status@OtherBot", False, True),
    ],
)
def test_b17_a_command_is_ours_only_when_it_names_us_or_nobody(
    text: str, heard: str, mentions_bot: bool, for_other_bot: bool, marked: bool
) -> None:
    entities = [{"type": "bot_command", "offset": 0, "length": len(text)}] if marked else []
    event = said(text, *entities)
    assert (event.text, event.mentions_bot, event.for_other_bot) == (heard, mentions_bot, for_other_bot)
    assert event.kind is Kind.MESSAGE


def test_b17_what_follows_an_addressed_command_is_kept() -> None:
    assert said("/goal@OpsBot ship 🚀", {"type": "bot_command", "offset": 0, "length": 12}).text == "/goal ship 🚀"


def test_an_address_at_the_start_is_no_command_for_another_bot() -> None:
    assert not said("/srv@archive is full").for_other_bot


def test_a_link_behind_words_is_spelled_out() -> None:
    assert event_of("link").text == "read this (https://example.org/a) 🚀 please"


def test_entities_that_point_outside_the_text_are_passed_over() -> None:
    event = said("hi", {"type": "mention", "offset": 1, "length": 40}, {"type": "mention", "offset": -1, "length": 1})
    assert (event.text, event.mentions_bot) == ("hi", False)


def test_halves_of_characters_and_nuls_become_storable() -> None:
    event = said("a\ud83d b\0c")
    assert event.text == "a\ufffd b\ufffdc"


# --- rooms ---------------------------------------------------------------------------------------------------


def test_b19_the_general_topic_has_no_id() -> None:
    assert event_of("general_topic").room == FORUM


def test_b19_any_other_topic_is_a_room_of_its_own_with_its_name() -> None:
    event = event_of("topic")
    assert event.room == Room(platform="telegram", workspace="4242", chat="-1001234500001", topic="42")
    assert event.title == "Deploys"
    assert event.quoted is None


def test_a_thread_id_outside_of_a_forum_is_no_topic() -> None:
    event = event_of("thread_without_forum")
    assert (event.room, event.title, event.direct) == (GROUP, "Ops", False)


def test_a_group_that_became_a_supergroup_has_moved() -> None:
    event = event_of("moved")
    old = Room(platform="telegram", workspace="4242", chat="-4001")
    assert (event.kind, event.room, event.moved_to) == (Kind.MOVED, old, GROUP)


@pytest.mark.parametrize("name", ["moved_from", "joined"])
def test_service_messages_are_no_events(name: str) -> None:
    assert read(sample(name)) is None


# --- authors -----------------------------------------------------------------------------------------------


def test_b59_an_edit_is_an_edit_of_the_same_message() -> None:
    event = event_of("edited")
    assert (event.kind, event.message_id, event.text) == (Kind.EDIT, "12", "hello again")


def test_b59_an_edited_channel_post_is_an_edit() -> None:
    event = event_of("edited_channel_post")
    assert (event.kind, event.text, event.author) == (
        Kind.EDIT,
        "release 4.1 is out",
        Author(id="-1001234500002", name="Ops news"),
    )


def test_b59_an_anonymous_administrator_speaks_as_the_group() -> None:
    assert event_of("anonymous_admin").author == Author(id="-1001234500000", name="Ops")


def test_b59_a_message_without_a_sender_speaks_as_its_chat() -> None:
    assert event_of("without_sender").author == Author(id="-1001234500000", name="Ops")


def test_a_channel_post_is_a_message() -> None:
    event = event_of("channel_post")
    assert (event.kind, event.room.chat, event.direct) == (Kind.MESSAGE, "-1001234500002", False)


def test_bots_and_we_ourselves_are_told_apart() -> None:
    update = sample("mention")
    update["message"]["from"] = {"id": 9, "is_bot": True, "first_name": "Other"}
    assert (event := read(update)) is not None and event.author == Author(id="9", name="Other", is_bot=True)
    update["message"]["from"] = {"id": 4242, "is_bot": True, "first_name": "Ops"}
    assert (event := read(update)) is not None and event.author.is_us


# --- replies -----------------------------------------------------------------------------------------------


def test_a_reply_to_us_says_so() -> None:
    assert event_of("reply").quoted == Quoted(message_id="77", author="Ops", text="api-3 is up", from_us=True)


def test_a_quoted_passage_stands_for_the_whole() -> None:
    assert event_of("quote").quoted == Quoted(message_id="77", author="Ops", text="is up", from_us=True)


def test_a_question_in_reply_to_a_picture_brings_the_picture() -> None:
    event = event_of("reply_to_photo")
    assert event.quoted == Quoted(message_id="70", author="Bo", text="look")
    assert [file.handle for file in event.files] == ["Q-1"]


# --- content -----------------------------------------------------------------------------------------------


def test_a_photo_is_its_largest_size_that_can_be_fetched() -> None:
    event = event_of("photo")
    assert event.text == "what is this?"
    assert event.files == (Attachment(name="photo_8.jpg", handle="P-large", media_type="image/jpeg", size=150000),)


def test_a_photo_that_is_too_large_in_every_size_is_still_named() -> None:
    update = sample("photo")
    update["message"]["photo"] = update["message"]["photo"][2:]
    assert (event := read(update)) is not None and event.files[0].handle == "P-huge"


@pytest.mark.parametrize(
    ("name", "attachment"),
    [
        ("document", Attachment(name="report.pdf", handle="D-1", media_type="application/pdf", size=20000000)),
        ("voice", Attachment(name="voice_10.ogg", handle="V-1", media_type="audio/ogg", size=9000)),
        ("sticker", Attachment(name="sticker_11.webp", handle="S-1", media_type="image/webp")),
    ],
)
def test_files_of_all_kinds_are_attachments(name: str, attachment: Attachment) -> None:
    assert event_of(name).files == (attachment,)


def test_an_animation_is_one_file_though_it_is_repeated_as_a_document() -> None:
    update = sample("document")
    update["message"]["animation"] = {"file_id": "G-1", "file_name": "fun.mp4", "mime_type": "video/mp4"}
    assert (event := read(update)) is not None and [file.handle for file in event.files] == ["G-1"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("location", "[location: 52.52, 13.405]"),
        ("venue", "[venue: Depot, 1 Dock Road (52.52, 13.405)]"),
        ("contact", "[contact: Bo, +4930123456]"),
        ("poll", "[poll: Ship today? (yes; no)]"),
        ("dice", "[dice: 🎲 4]"),
        ("sticker", "[sticker: 👍]"),
        ("rich", "Plan\nship today"),
    ],
)
def test_what_is_neither_text_nor_file_is_described(name: str, text: str) -> None:
    assert event_of(name).text == text


def test_b60_an_album_shares_its_group_and_keeps_captions_and_order() -> None:
    events = [event_of(f"album_{number}") for number in (1, 2, 3)]
    assert {event.group for event in events} == {"77"}
    assert [event.text for event in events] == ["before", "", "after"]
    assert [event.files[0].handle for event in events] == ["A-1", "A-2", "A-3"]


# --- everything else ------------------------------------------------------------------------------------------


def test_a_click_says_the_control_word_on_the_message_that_carries_the_button() -> None:
    event = event_of("click")
    assert (event.kind, event.text, event.message_id, event.author) == (Kind.CLICK, "/stop", "88", ANN)
    assert event.room.topic == "42"


def test_a_click_on_a_message_that_is_too_old_to_be_shown_is_still_a_click() -> None:
    event = event_of("click_on_old_message")
    assert (event.kind, event.text, event.message_id, event.room) == (Kind.CLICK, "/why", "89", DM)


def test_membership_and_reactions_say_what_changed() -> None:
    assert (event_of("membership").kind, event_of("membership").text) == (Kind.MEMBERSHIP, "member")
    reaction = event_of("reaction")
    assert (reaction.kind, reaction.text, reaction.message_id) == (Kind.REACTION, "👍", "77")


@pytest.mark.parametrize(
    "update",
    [
        {"update_id": 1},
        {"update_id": 1, "chat_boost": {"chat": {}}},
        {"update_id": 1, "poll": {"id": "1"}},
        {"update_id": 1, "something_new": 7},
        {"update_id": 1, "callback_query": {"id": "1", "from": {"id": 1}, "inline_message_id": "x", "data": "y"}},
    ],
)
def test_what_is_not_understood_is_no_event(update: dict[str, Any]) -> None:
    assert read(update) is None


@pytest.mark.parametrize(
    ("update", "field"),
    [
        ({"update_id": 123, "message": {"text": "no chat"}}, "chat"),
        ({"update_id": 123, "message": {"text": 5}}, "text"),
        ({"update_id": 123, "message": []}, "message"),
        ({"update_id": 123, "message": {"text": "x", "entities": 5}}, "entities"),
        ({"update_id": 123, "message": {"text": "x", "chat": {"id": True}, "from": {"id": 1}}}, "id"),
        ({"update_id": 123, "callback_query": {"data": "x", "message": {"chat": {"id": 1}}}}, "from"),
    ],
)
def test_a_malformed_update_is_refused_by_its_id_and_field(update: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=rf"update 123 is malformed: {field} is"):
        read(update)


def test_an_update_without_an_id_is_malformed() -> None:
    with pytest.raises(ValueError, match="update_id is missing"):
        read({"message": {}})


def _mutations() -> st.SearchStrategy[dict[str, Any]]:
    """Real updates with any of their values, at any depth, replaced by anything."""
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["private", "mention"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=6,
    )

    def mutate(draw: st.DrawFn) -> dict[str, Any]:
        update = sample(draw(st.sampled_from(sorted(path.stem for path in SAMPLES.glob("*.json")))))
        for _ in range(draw(st.integers(min_value=1, max_value=3))):
            place: Any = update
            while True:
                keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
                if not keys:
                    break
                key = draw(st.sampled_from(keys))
                if isinstance(place[key], dict | list) and place[key] and draw(st.integers(0, 3)):
                    place = place[key]
                    continue
                place[key] = draw(anything)
                break
        return update

    return st.composite(mutate)()


@given(update=_mutations())
def test_whatever_comes_is_an_event_or_nothing_or_a_value_error(update: dict[str, Any]) -> None:
    try:
        event = read(update)
    except ValueError as error:
        assert "update " in str(error)
    else:
        assert event is None or load(dump(event)) == event


def test_importing_the_adapter_loads_neither_the_client_library_nor_a_web_client() -> None:
    seen = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, adapters.telegram; print({'telegram', 'aiohttp', 'httpx'} & set(sys.modules))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert seen.stdout.strip() == "set()"
