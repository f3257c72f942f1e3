"""What a provider says when it refuses, as a `ProviderError`. Pure.

A secret never gets into an error: our own key is cut out of the provider's words, and so is what looks like one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import orjson

from agent.model import ProviderError

OVERFLOW = "context_length_exceeded"
"""The one code that everybody's refusal of a too long request is given."""

_OVERFLOW_CODES = frozenset(
    {OVERFLOW, "exceed_context_size_error", "context_window_exceeded", "string_above_max_length"}
)
_OVERFLOW_WORDS = re.compile(
    r"(maximum|max) context (length|window)|context (length|window|size)[^.]{0,40}exceed|exceeds? the[^.]{0,40}context"
    r"|prompt is too long|input is too long|too many input tokens|input token count[^.]{0,40}exceeds",
    re.IGNORECASE,
)
_SECRETS = re.compile(r"\b(sk|pk|key|xai|gsk)-[\w*.-]{6,}|(?<=Bearer )\S+")
LONGEST_WORDS = 500


def refusal(status: int, headers: Mapping[str, str], body: bytes, *, key: str, now: datetime) -> ProviderError:
    """Return the error that an answer other than 200 stands for."""
    error = failure(_json(body), status=status, key=key)
    wait = retry_after(headers, now)
    return ProviderError(str(error), kind="http", status=status, code=error.code, retry_after=wait)


def failure(data: Mapping[str, Any], *, status: int | None = None, key: str = "") -> ProviderError:
    """Return the error that an error object stands for, inside a stream or as a whole answer."""
    error = _error_object(data)
    code = _first(error, "code", "type") or _first(data, "code", "type")
    if status is None and code.isdigit():
        status = int(code)
    words = clean(_first(error, "message", "detail", "error") or _phrase(status), key=key)
    return ProviderError(words, kind="stream" if status is None else "http", status=status, code=one_code(code, words))


def one_code(code: str, words: str) -> str:
    """Return the provider's code, or `OVERFLOW` where its code or its words mean that the request is too long."""
    return OVERFLOW if code in _OVERFLOW_CODES or _OVERFLOW_WORDS.search(words) else code


def clean(words: str, *, key: str) -> str:
    """Return the words on one line, not too long, without secrets."""
    if key:
        words = words.replace(key, "…")
    words = " ".join(_SECRETS.sub("…", words).split())
    return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…"


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how many seconds the provider asks us to wait, None where it does not say.

    https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
    """
    found = {name.lower(): value.strip() for name, value in headers.items()}
    if (milliseconds := _number(found.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    raw = found.get("retry-after")
    if (seconds := _number(raw)) is not None:
        return seconds
    try:
        then = parsedate_to_datetime(raw or "")
    except ValueError:
        return None
    return max(0.0, then.timestamp() - now.timestamp())


def _number(raw: str | None) -> float | None:
    return float(raw) if raw and re.fullmatch(r"\d{1,9}(\.\d+)?", raw) else None


def _json(body: bytes) -> Mapping[str, Any]:
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    # Some gateways wrap the error object into a list.
    if isinstance(data, list) and data:
        data = data[0]
    return data if isinstance(data, dict) else {}


def _error_object(data: Mapping[str, Any]) -> Mapping[str, Any]:
    error = data.get("error")
    if isinstance(error, Mapping):
        return error
    return {"message": error, **data} if isinstance(error, str) else data


def _first(data: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = data.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)
    return ""


def _phrase(status: int | None) -> str:
    try:
        return f"the provider answered {status} {HTTPStatus(status or 0).phrase}"
    except ValueError:
        return f"the provider answered {status}" if status else "the provider reported a failure without words"
