"""Items as they are stored and read."""

from __future__ import annotations

from agent.framing import user_text
from agent.items import AssistantItem, UserItem, dump, from_event, load
from agent.model import Call
from bot.work import StoredItem
from tests.agent.kit import event, quoted


def test_a_message_keeps_its_words_its_author_and_what_it_answers() -> None:
    item = from_event(event("yes", author="Ann", direct=False, quoted=quoted("shall we?", "Bob")))
    assert item == UserItem(
        text="yes",
        author="Ann",
        shared=True,
        quoted_author="Bob",
        quoted_text="shall we?",
        message_key="paper/bot/c1#m1",
    )


def test_a_message_that_answers_us_says_so() -> None:
    assert from_event(event(quoted=quoted("done", from_us=True))).quoted_author == "you"


def test_what_was_stored_little_is_read_whole() -> None:
    assert load([StoredItem(kind="assistant", body={"text": "hi"})]) == (AssistantItem(text="hi"),)
    assert load([StoredItem(kind="user", body={})]) == (UserItem(text=""),)


def test_kinds_of_a_newer_version_are_left_out() -> None:
    assert load([StoredItem(kind="picture", body={})]) == ()


def test_an_edit_in_the_store_changes_what_is_read() -> None:
    stored = dump(UserItem(text="old", author="Ann", shared=True))
    edited = StoredItem(kind=stored.kind, body={**stored.body, "text": "new"})
    (item,) = load([edited])
    assert isinstance(item, UserItem)
    assert user_text(item) == "[Ann] new"


def test_a_plain_item_is_stored_in_few_words() -> None:
    assert dump(AssistantItem(text="hi")).body == {"text": "hi"}
    calls = (Call(id="1", name="n", arguments="{}"),)
    assert dump(AssistantItem(calls=calls)).body == {
        "text": "",
        "calls": [{"id": "1", "name": "n", "arguments": "{}"}],
    }
