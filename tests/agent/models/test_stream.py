from __future__ import annotations

from typing import Any

import pytest

from agent.model import Answer, ProviderError
from agent.models._stream import ChatAssembly, parse, plain_text
from agent.models._usage import usage
from tests.support.models import a_profile
from tests.support.openai_stub import chunk
from tests.support.openai_stub import usage as counts


def assemble(*events: dict[str, Any], taken: tuple[str, ...] = ()) -> tuple[Answer, str]:
    """Return the answer that the events make, and the text that was shown."""
    assembly = ChatAssembly(a_profile(usd_in=1.0, usd_out=10.0), taken=taken)
    shown = "".join(assembly.feed(event) for event in events) + assembly.end()
    return assembly.answer(), shown


def a_call(index: int | None, call_id: str | None, name: str | None, arguments: str | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": call_id, "function": {"name": name, "arguments": arguments}}
    if index is not None:
        entry["index"] = index
    return chunk({"tool_calls": [entry]})


def test_b28_chunks_without_choices() -> None:
    answer, shown = assemble(
        chunk(choices=[]),
        chunk({"content": "Hel"}),
        chunk({"content": "lo"}),
        chunk(finish="stop"),
        chunk(choices=[], usage={"prompt_tokens": 10, "completion_tokens": 2}),
    )
    assert (answer.text, shown, answer.finish) == ("Hello", "Hello", "stop")
    assert (answer.usage.tokens_in, answer.usage.tokens_out) == (10, 2)


def test_b28_an_answer_without_choices_is_an_error() -> None:
    with pytest.raises(ProviderError) as caught:
        assemble({"id": "x", "object": "chat.completion", "choices": []})
    assert caught.value.kind == "empty"


def test_b51_parallel_calls_on_one_index() -> None:
    answer, _ = assemble(
        a_call(0, "a", "read_file", '{"p":"1"}'),
        a_call(0, "b", "read_file", '{"p":"2"}'),
        a_call(0, "c", "read_file", '{"p":"3"}'),
    )
    assert [(call.id, call.arguments) for call in answer.calls] == [
        ("a", '{"p":"1"}'),
        ("b", '{"p":"2"}'),
        ("c", '{"p":"3"}'),
    ]


def test_b51_one_call_in_pieces() -> None:
    answer, _ = assemble(a_call(0, "d", "read_file", '{"p"'), a_call(0, None, None, ':"4"}'))
    assert [(call.id, call.arguments) for call in answer.calls] == [("d", '{"p":"4"}')]


def test_b51_a_new_id_for_every_piece_is_still_one_call() -> None:
    answer, _ = assemble(a_call(0, "d1", "read_file", '{"p"'), a_call(0, "d2", None, ':"4"}'))
    assert [(call.id, call.arguments) for call in answer.calls] == [("d1", '{"p":"4"}')]


def test_interleaved_calls_keep_their_pieces() -> None:
    answer, _ = assemble(
        a_call(0, "a", "one", '{"x"'),
        a_call(1, "b", "two", '{"y"'),
        a_call(0, None, None, ":1}"),
        a_call(1, None, None, ":2}"),
    )
    assert [(call.name, call.arguments) for call in answer.calls] == [("one", '{"x":1}'), ("two", '{"y":2}')]


@pytest.mark.parametrize("call_id", [None, "", "call-weather"])
@pytest.mark.parametrize("indexes", [(0, 1), (0, 0), (None, None)])
def test_b52_missing_and_repeated_ids(call_id: str | None, indexes: tuple[int | None, int | None]) -> None:
    answer, _ = assemble(
        a_call(indexes[0], call_id, "weather", '{"city":"Oslo"}'),
        a_call(indexes[1], call_id, "weather", '{"city":"Rome"}'),
    )
    assert [call.arguments for call in answer.calls] == ['{"city":"Oslo"}', '{"city":"Rome"}']
    ids = [call.id for call in answer.calls]
    assert all(ids)
    assert len(set(ids)) == 2


def test_b52_ids_are_unique_within_the_history() -> None:
    answer, _ = assemble(
        a_call(0, "call-weather", "weather", "{}"), a_call(1, "", "weather", "{}"), taken=("call-weather", "call_2")
    )
    ids = [call.id for call in answer.calls]
    assert len({*ids, "call-weather", "call_2"}) == 4


def test_arguments_that_are_an_object_become_text() -> None:
    answer, _ = assemble(
        chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "x", "arguments": {"n": 1}}}]})
    )
    assert answer.calls[0].arguments == '{"n":1}'


def test_content_in_blocks_is_its_text() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Hel"},
        "lo",
        {"type": "text", "text": None},
    ]
    assert plain_text(blocks) == "Hello"
    assert assemble(chunk({"content": blocks}))[0].text == "Hello"


def test_reasoning_is_not_shown() -> None:
    answer, shown = assemble(
        chunk({"reasoning_content": "hm", "content": ""}),
        chunk({"content": "<thi"}),
        chunk({"content": "nk>x</think>Hi"}),
    )
    assert answer.text == shown == "Hi"


def test_a_refusal_is_shown_and_named() -> None:
    answer, shown = assemble(chunk({"refusal": "I cannot "}), chunk({"refusal": "do that."}), chunk(finish="stop"))
    assert (answer.text, shown, answer.finish) == ("I cannot do that.", "I cannot do that.", "refusal")


@pytest.mark.parametrize("word", ["length", "content_filter", "MAX_TOKENS", "tool_calls"])
def test_finish_words_are_passed_on(word: str) -> None:
    assert assemble(chunk({"content": "x"}), chunk(finish=word))[0].finish == word


def test_a_whole_message_is_read_like_a_stream() -> None:
    message = {
        "role": "assistant",
        "content": "Hello",
        "tool_calls": [{"id": "a", "function": {"name": "x", "arguments": "{}"}}],
    }
    answer, shown = assemble(
        {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
    )
    assert (answer.text, shown, answer.calls[0].id, answer.usage.tokens_in) == ("Hello", "Hello", "a", 3)


@pytest.mark.parametrize(
    ("data", "kind", "status", "code"),
    [
        ({"error": {"message": "upstream died", "code": 502}}, "http", 502, "502"),
        ({"error": {"message": "no", "type": "server_error"}}, "stream", None, "server_error"),
        ({"error": "out of memory"}, "stream", None, ""),
        (
            {"object": "error", "message": "too long: maximum context length is 10", "code": 400},
            "http",
            400,
            "context_length_exceeded",
        ),
    ],
)
def test_an_error_inside_a_stream_is_raised(data: dict[str, Any], kind: str, status: int | None, code: str) -> None:
    with pytest.raises(ProviderError) as caught:
        assemble(chunk({"content": "Hel"}), data)
    assert (caught.value.kind, caught.value.status, caught.value.code) == (kind, status, code)


def test_a_broken_line_is_an_error_and_a_word_is_skipped() -> None:
    assert parse(b"ping") is None
    with pytest.raises(ProviderError):
        parse(b'{"choices":[{"delta"')


def test_cost_counts_what_came_from_the_cache() -> None:
    profile = a_profile(usd_in=2.0, usd_out=10.0, usd_cached=0.5)
    took = usage(counts(1_000_000, 100_000, cached=600_000)["usage"], profile)
    assert took.tokens_cached == 600_000
    assert took.cost_usd == pytest.approx(0.4 * 2.0 + 0.6 * 0.5 + 0.1 * 10.0)


def test_without_a_price_for_the_cache_it_costs_the_same() -> None:
    took = usage({"prompt_tokens": 10, "prompt_cache_hit_tokens": 4, "completion_tokens": None}, a_profile(usd_in=1.0))
    assert (took.tokens_in, took.tokens_out, took.tokens_cached) == (10, 0, 4)
    assert took.cost_usd == pytest.approx(10 / 1_000_000)
