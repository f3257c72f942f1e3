"""The text of a `.env`: every key that means something, with a sentence, and the values that are known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bot.settings_names import BOT, MODELS, Declares

_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=?&~-]*")
_SECRET = re.compile(r"(?:TOKEN|SECRET|PASSWORD|KEY)$")

Group = tuple[str, Mapping[str, str]]


def groups(adapters: Mapping[str, Declares]) -> Iterator[Group]:
    """Return the keys by what they are for, each with its sentence: a title, and the keys."""
    for name, adapter in sorted(adapters.items()):
        if adapter.environment:
            yield f"{name}: the first key turns it on", adapter.environment
    yield "models", MODELS
    yield "bot", BOT


def env_text(adapters: Mapping[str, Declares], values: Mapping[str, str] | None = None) -> str:
    """Return a `.env` with these values; all other keys stand there without one."""
    lines = [
        "# Read at the start. An empty value is as good as none; what the process inherits stands above this file."
    ]
    for title, keys in groups(adapters):
        lines += ["", f"# --- {title} ---"]
        for name, sentence in keys.items():
            lines += [f"# {sentence}", f"{name}={quoted((values or {}).get(name, ''))}"]
    return "\n".join(lines) + "\n"


def quoted(value: str) -> str:
    """Return a value as a `.env` can hold it."""
    if _PLAIN.fullmatch(value):
        return value
    inner = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{inner}'"


def is_secret(name: str) -> bool:
    """Say whether a key's value must not be shown while it is typed."""
    return _SECRET.search(name) is not None
