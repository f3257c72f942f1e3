"""Log: stable event names with fields, to standard error, without secrets.

Records do not pass through the standard library's logging on the path; libraries that use it are heard from WARNING up.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterable, MutableMapping
from datetime import datetime
from typing import Any, Literal, TextIO
from urllib.parse import quote

import orjson
import structlog

from bot.clock import Clock
from bot.settings import Settings

HIDDEN = "***"
SHORTEST_SECRET = 8
"""Shorter values are ordinary words too often to be blotted out everywhere."""
LONGEST_VALUE = 2000

_SECRET_NAME = re.compile(
    r"(?:token|secret|password|passphrase|authorization|(?:api|private|secret|encrypt)_?key)$", re.I
)
_SECRET_VARIABLE = re.compile(r"(?:TOKEN|SECRET|PASSWORD|KEY)$")
_PASSWORD_IN_URL = re.compile(r"://[^/@:\s]*:([^@\s]+)@")
_PLAIN_VALUE = re.compile(r"[\w./:@#+,%~-]+", re.ASCII)

Record = MutableMapping[str, Any]
Renderer = Callable[[Any, str, Record], str]


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """Return every value of the settings that must never be shown."""
    found = [*settings.keys.values(), *settings.secret_key.split(",")]
    for adapter in settings.adapters.values():
        found += [value for name, value in adapter.environment.items() if _SECRET_VARIABLE.search(name)]
    found += _PASSWORD_IN_URL.findall(settings.database_url)
    return tuple(found)


class Mask:
    """Blots secrets out of text."""

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = {form for secret in secrets for form in _forms(secret)}
        # The longest first, so that a secret inside another does not leave the rest of it standing.
        pattern = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
        self._pattern = re.compile(pattern) if pattern else None

    def __call__(self, text: str) -> str:
        """Return the text without secrets."""
        return text if self._pattern is None else self._pattern.sub(HIDDEN, text)


def _forms(secret: str) -> Iterable[str]:
    """Return how a secret may look in a line: as it is, in a URL, in JSON; of a long one also each line."""
    for line in {secret.strip(), *(line.strip() for line in secret.splitlines())}:
        if len(line) >= SHORTEST_SECRET and not line.startswith("-----"):
            yield from (line, quote(line, safe=""), orjson.dumps(line).decode()[1:-1])


def hide_named(_logger: Any, _method: str, record: Record) -> Record:
    """Hide fields that are secret by their name."""
    for name in record:
        if _SECRET_NAME.search(name):
            record[name] = HIDDEN
    return record


def stamp(clock: Clock) -> Callable[[Any, str, Record], Record]:
    """Return the processor that says when."""

    def stamped(_logger: Any, method: str, record: Record) -> Record:
        record["level"] = "error" if method == "exception" else method
        record["at"] = clock.now()
        return record

    return stamped


def spell_error(_logger: Any, method: str, record: Record) -> Record:
    """Replace the error of a record by its traceback."""
    error = record.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    elif isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        record["error"] = "".join(traceback.format_exception(error)).rstrip()
    return record


def as_text(mask: Mask) -> Renderer:
    """Return the renderer for people: one line a record, a traceback below it."""

    def render(_logger: Any, _method: str, record: Record) -> str:
        at: datetime = record.pop("at")
        level, event, error = record.pop("level"), record.pop("event"), record.pop("error", None)
        line = f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03} {level:<7} {_value(event)}"
        line += "".join(f" {name}={_value(value)}" for name, value in record.items())
        if error is not None:
            line += "\n" + "\n".join(f"  {row}" for row in str(error).splitlines())
        return mask(line)

    return render


def as_json(mask: Mask) -> Renderer:
    """Return the renderer for machines: one JSON object a line."""

    def render(_logger: Any, _method: str, record: Record) -> str:
        return mask(_json(record))

    return render


def _json(record: Record) -> str:
    try:
        return orjson.dumps(record, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        # Half a surrogate pair, as in names of files, or a number beyond 64 bits: the slower writer takes them.
        return json.dumps(record, default=str)


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else str(value)
    if len(text) > LONGEST_VALUE:
        text = text[:LONGEST_VALUE] + "…"
    # Foreign text can break no line and forge no field: whatever is not plain is written as JSON, in ASCII if need be.
    if _PLAIN_VALUE.fullmatch(text):
        return text
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else ascii(character)[1:-1]


class Bridge(logging.Handler):
    """Carries what libraries say through the standard library into our log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._log = structlog.get_logger("library")

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage()
        except (TypeError, ValueError):
            text = str(record.msg)
        say = self._log.error if record.levelno >= logging.ERROR else self._log.warning
        say("library_said", library=record.name, text=text, exc_info=record.exc_info)


def start_logging(
    *,
    clock: Clock,
    secrets: Iterable[str] = (),
    form: Literal["text", "json"] = "text",
    level: str = "info",
    stream: TextIO | None = None,
) -> Bridge:
    """Set the log up for the whole process; call it once, before the first record."""
    mask = Mask(secrets)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            stamp(clock),
            hide_named,
            spell_error,
            as_json(mask) if form == "json" else as_text(mask),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream or sys.stderr),
        cache_logger_on_first_use=True,
    )
    bridge = Bridge()
    root = logging.getLogger()
    for old in [handler for handler in root.handlers if isinstance(handler, Bridge)]:
        root.removeHandler(old)
    root.addHandler(bridge)
    return bridge
