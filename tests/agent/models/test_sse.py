from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.model import ProviderError
from agent.models import _sse
from agent.models._sse import Lines

STREAM = (
    b': keep-alive\r\n\r\nevent: x\ndata: {"a":"\xc3\xa9"}\n\ndata:{"b":2}\r\n\r\n{"error":"bare"}\ndata: [DONE]\n\n'
)
DATA = [b'{"a":"\xc3\xa9"}', b'{"b":2}', b'{"error":"bare"}', b"[DONE]"]


@given(st.lists(st.integers(0, len(STREAM)), max_size=20))
def test_data_is_the_same_wherever_chunks_are_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    lines = Lines()
    found = [data for start, end in itertools.pairwise(places) for data in lines.feed(STREAM[start:end])]
    assert [*found, *lines.end()] == DATA


def test_a_last_line_without_an_end_is_read() -> None:
    lines = Lines()
    assert lines.feed(b"data: 1") == []
    assert lines.end() == [b"1"]


def test_an_endless_line_is_refused() -> None:
    lines = Lines()
    with pytest.raises(ProviderError) as caught:
        for _ in range(_sse.LONGEST_LINE // 1_000_000 + 1):
            lines.feed(b"x" * 1_000_000)
    assert caught.value.kind == "stream"
