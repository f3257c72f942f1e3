"""Events and rooms survive being written down."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bot.events import Attachment, Author, Event, Kind, Quoted, Room, dump, load

part = st.text(max_size=12)


@given(workspace=part, chat=part, topic=part)
def test_a_room_is_read_back_from_its_key(workspace: str, chat: str, topic: str) -> None:
    room = Room(platform="paper", workspace=workspace, chat=chat, topic=topic)
    assert Room.from_key(room.key) == room


def test_a_slash_in_a_name_does_not_mix_rooms_up() -> None:
    assert (
        Room(platform="p", workspace="", chat="a/b", topic="c").key
        != Room(platform="p", workspace="", chat="a", topic="b/c").key
    )


def test_a_message_has_one_key_in_all_topics_of_its_chat() -> None:
    rooms = [Room(platform="p", workspace="w", chat="c", topic=topic) for topic in ("", "7")]
    assert len({room.message_key("12") for room in rooms}) == 1


def test_an_event_is_read_back_whole() -> None:
    event = Event(
        id="p:1",
        kind=Kind.MOVED,
        room=Room(platform="p", workspace="w", chat="c"),
        author=Author(id="7", name="Zoë 李", is_bot=True),
        received_at=datetime(2026, 12, 1, 12, 30, 1, 5, tzinfo=UTC),
        text="hello",
        quoted=Quoted(message_id="3", author="Ann", text="before", from_us=True),
        files=(Attachment(name="a.txt", handle="h", size=3),),
        group="77",
        moved_to=Room(platform="p", workspace="w", chat="d"),
    )
    assert load(dump(event)) == event
