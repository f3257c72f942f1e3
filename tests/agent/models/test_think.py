from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models._think import Visible

CASES = [
    ("plain", "plain"),
    ("<think>secret</think>\n\nHello", "Hello"),
    ("<thinking>secret</thinking>Hello", "Hello"),
    ("<think>a</think><think>b</think> Hello", "Hello"),
    ("Hello <think>secret</think>world", "Hello world"),
    ("<think>never closed", ""),
    ("Hello <think> is a tag", "Hello <think> is a tag"),
    ("Write `<think>` and `</think>`.", "Write `<think>` and `</think>`."),
    ("```\n<think>x</think>\n```", "```\n<think>x</think>\n```"),
    ("```\nx\n```\n<think>y</think>z", "```\nx\n```\nz"),
    ("a < b <thin c", "a < b <thin c"),
    ("ends with <thi", "ends with <thi"),
    ("<think>1 < 2 </thin </think>ok", "ok"),
]


@pytest.mark.parametrize(("text", "visible"), CASES)
@given(data=st.data())
def test_thinking_is_cut_out_wherever_the_pieces_end(data: st.DataObject, text: str, visible: str) -> None:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    filter_ = Visible()
    shown = [filter_.feed(text[a:b]) for a, b in zip([0, *places], [*places, len(text)], strict=True)]
    assert "".join([*shown, filter_.end()]) == visible


def test_text_without_a_tag_is_never_held_back() -> None:
    filter_ = Visible()
    assert [filter_.feed(piece) for piece in ("Hel", "lo ", "1 < 2")] == ["Hel", "lo ", "1 < 2"]
