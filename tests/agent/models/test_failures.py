from __future__ import annotations

import orjson
import pytest

from agent.models._failures import OVERFLOW, clean, refusal, retry_after
from tests.support.models import NOON

KEY = "abcdef-secret"


def refused(status: int, body: object, headers: dict[str, str] | None = None) -> object:
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    return refusal(status, headers or {}, raw, key=KEY, now=NOON)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"Retry-After": "Mon, 01 Jun 2026 12:00:20 GMT"}, 20.0),
        ({"Retry-After": "Mon, 01 Jun 2026 11:00:00 GMT"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "-5"}, None),
    ],
)
def test_how_long_a_provider_asks_us_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOON) == seconds


@pytest.mark.parametrize(
    ("body", "words", "code"),
    [
        ({"error": {"message": "no", "code": "x", "type": "y"}}, "no", "x"),
        ({"error": {"message": "no", "type": "overloaded_error"}}, "no", "overloaded_error"),
        ([{"error": {"message": "no", "code": 400}}], "no", "400"),
        ({"error": "no"}, "no", ""),
        ({"detail": "no"}, "no", ""),
        (b"<html>Bad Gateway</html>", "the provider answered 502 Bad Gateway", ""),
        ({"error": {"message": "prompt is too long: 9 > 8"}}, "prompt is too long: 9 > 8", OVERFLOW),
        ({"error": {"message": "too big", "type": "exceed_context_size_error"}}, "too big", OVERFLOW),
        (
            {"error": {"message": "This model's maximum context length is 10 tokens."}},
            "This model's maximum context length is 10 tokens.",
            OVERFLOW,
        ),
    ],
)
def test_errors_of_all_shapes_are_read(body: object, words: str, code: str) -> None:
    error = refused(502, body)
    assert (str(error), getattr(error, "code", None), getattr(error, "status", None)) == (words, code, 502)


@pytest.mark.parametrize(
    "words",
    [
        f"Incorrect API key provided: {KEY}. You can find your key at https://example.org",
        "Incorrect API key provided: sk-proj-********************abcd.",
        "bad header Authorization: Bearer abcdefghijk",
    ],
)
def test_no_secret_gets_into_an_error(words: str) -> None:
    told = clean(words, key=KEY)
    assert not any(secret in told for secret in (KEY, "abcdefghijk", "abcd."))
    assert "…" in told


def test_words_are_short_and_on_one_line() -> None:
    told = clean("a\n b\r\n" + "x" * 9000, key="")
    assert told.startswith("a b x")
    assert len(told) == 500
