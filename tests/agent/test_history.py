"""Whatever a thread holds, what the model is sent is legal (seat C1 and the window together)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent import window
from agent.hooks.one_system import merge
from agent.hooks.pairing import repair
from agent.items import AssistantItem, Item, NoteItem, ToolItem, UserItem, dump, load
from agent.model import AssistantMessage, Call, Message, SystemMessage, ToolMessage, UserMessage
from agent.prompt import date_line
from agent.window import Space
from tests.agent.kit import NOON
from tests.agent.pairing import faults

IDS = st.sampled_from(["", " ", "a", "b", "c", "call_1_0", "call_0_0"])
NAMES = st.sampled_from(["", "weather", "write_file", "now"])
ARGUMENTS = st.sampled_from(["", "{}", '{"city": "Oslo"}', '{"broken', "[1,2]", "null", "NaN"])
CALLS = st.lists(st.builds(Call, id=IDS, name=NAMES, arguments=ARGUMENTS), max_size=4).map(tuple)
TEXTS = st.sampled_from(["", " ", "hello", "x" * 900, "früh 🚀"])

USERS = st.builds(UserItem, text=TEXTS, author=st.text(max_size=5), shared=st.booleans())
ITEMS: st.SearchStrategy[Item] = st.one_of(
    USERS,
    st.builds(AssistantItem, text=TEXTS, calls=CALLS, error_fallback=st.booleans()),
    st.builds(ToolItem, call_id=IDS, name=NAMES, text=TEXTS),
    st.builds(NoteItem, text=st.sampled_from(["a note", date_line(NOON.date())])),
)
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(UserMessage, text=TEXTS),
    st.builds(SystemMessage, text=TEXTS),
    st.builds(AssistantMessage, text=TEXTS, calls=CALLS),
    st.builds(ToolMessage, call_id=IDS, name=NAMES, text=TEXTS),
)


@given(items=st.lists(ITEMS, max_size=30), tokens=st.integers(min_value=0, max_value=2_000))
@settings(max_examples=300, deadline=None)
def test_any_history_becomes_a_legal_request(items: list[Item], tokens: int) -> None:
    kept = window.fit(items, Space(tokens=tokens, result_characters=500))
    sent, _ = repair(merge((SystemMessage(text="you are"), *window.messages(kept))))
    assert faults(sent) == []
    assert [message for message in sent if isinstance(message, SystemMessage)] == list(sent[:1])
    assert all(message.text.strip() or message.calls for message in sent if isinstance(message, AssistantMessage))


@given(messages=st.lists(MESSAGES, max_size=30).map(tuple))
@settings(max_examples=300, deadline=None)
def test_a_repaired_request_needs_no_further_repair(messages: tuple[Message, ...]) -> None:
    once, _ = repair(messages)
    assert faults(once) == []
    twice, repairs = repair(once)
    assert twice == once
    assert not repairs


@given(items=st.lists(ITEMS, max_size=30), tokens=st.integers(min_value=0, max_value=2_000))
@settings(max_examples=200, deadline=None)
def test_what_people_said_last_is_always_sent(items: list[Item], tokens: int) -> None:
    kept = window.fit(items, Space(tokens=tokens, result_characters=500))
    users = [item for item in items if isinstance(item, UserItem)]
    if users:
        assert users[-1] in kept
    assert [item for item in kept if isinstance(item, NoteItem)] == [i for i in items if isinstance(i, NoteItem)]


@given(item=ITEMS)
def test_an_item_is_read_as_it_was_stored(item: Item) -> None:
    assert load([dump(item)]) == (item,)
