"""From what is written to what is meant: one value of a known kind, or an error that names all there is to know."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, Union, get_args, get_origin

from bot.errors import SettingsError

YES = frozenset({"true", "yes", "on", "1"})
NO = frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A value that was said as text, as variables of the environment are."""

    text: str
    name: str
    """The variable."""
    file: str
    """Where it stands: `.env` or `the environment`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a value stands, for errors."""

    key: str
    file: str = "bot.toml"

    def of(self, value: Any) -> Place:
        """Return the place that the value itself knows, where it is another."""
        return Place(key=value.name, file=value.file) if isinstance(value, Said) else self

    def __str__(self) -> str:
        return f"{self.key} in {self.file}"


def unknown(place: Place, known: Iterable[str]) -> SettingsError:
    """Return the error for a key that is none, with the nearest one that is."""
    names = sorted(known)
    word = place.key.rpartition(" ")[2]
    nearest = get_close_matches(word, names, n=1, cutoff=0.0)
    cure = f"did you mean {nearest[0]}?" if nearest else "nothing may stand there"
    return SettingsError(f"{place} is no setting; {cure}")


def wrong(place: Place, value: Any, expected: str) -> SettingsError:
    """Return the error for a value of the wrong kind."""
    shown = repr(value.text if isinstance(value, Said) else value)
    return SettingsError(f"{place.of(value)} is {shown}; {expected} is expected")


def read(value: Any, hint: Any, place: Place) -> Any:
    """Return a value as the kind that a field's annotation names; raises `SettingsError`."""
    base, optional = _without_none(hint)
    if isinstance(value, Said) and optional and value.text.strip().lower() in ("", "none"):
        return None
    origin = get_origin(base) or base
    reader = _READERS.get(origin)
    if reader is None:
        raise AssertionError(f"no reader for a field of kind {hint}")
    return reader(value, base, place)


def like(value: Any, default: Any, place: Place) -> Any:
    """Return a value as the kind that its default has; None takes whatever is written."""
    if default is None:
        return value.text if isinstance(value, Said) else value
    if isinstance(default, (list, tuple)):
        return list(_texts(value, tuple, place))
    return read(value, dict if isinstance(default, Mapping) else type(default), place)


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        return kinds[0], len(kinds) < len(get_args(hint))
    return hint, False


def _flag(value: Any, _: Any, place: Place) -> bool:
    if isinstance(value, Said):
        word = value.text.strip().lower()
        if word in YES | NO:
            return word in YES
    elif isinstance(value, bool):
        return value
    raise wrong(place, value, "true or false")


def _whole(value: Any, _: Any, place: Place) -> int:
    expected = "a whole number, 0 or more,"
    if isinstance(value, Said):
        word = value.text.strip()
        number = int(word) if word.isascii() and word.isdigit() else -1
    else:
        number = value if isinstance(value, int) and not isinstance(value, bool) else -1
    if number < 0:
        raise wrong(place, value, expected)
    return number


def _number(value: Any, _: Any, place: Place) -> float:
    expected = "a number, 0 or more,"
    if not isinstance(value, (Said, int, float)) or isinstance(value, bool):
        raise wrong(place, value, expected)
    try:
        number = float(value.text if isinstance(value, Said) else value)
    except ValueError as exc:
        raise wrong(place, value, expected) from exc
    if not math.isfinite(number) or number < 0:
        raise wrong(place, value, expected)
    return number


def _text(value: Any, _: Any, place: Place) -> str:
    if isinstance(value, Said):
        return value.text
    if isinstance(value, str):
        return value
    raise wrong(place, value, "text in quotes")


def _choice(value: Any, hint: Any, place: Place) -> str:
    words = get_args(hint)
    word = value.text.strip() if isinstance(value, Said) else value
    if word not in words:
        raise wrong(place, value, f"one of {', '.join(words)}")
    return str(word)


def _texts(value: Any, _: Any, place: Place) -> tuple[str, ...]:
    if isinstance(value, Said):
        found = _json(value) if value.text.lstrip().startswith("[") else _by_commas(value.text)
    else:
        found = value
    if not isinstance(found, (list, tuple)) or not all(isinstance(one, str) for one in found):
        raise wrong(place, value, "a list of texts")
    return tuple(found)


def _by_commas(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _table(value: Any, hint: Any, place: Place) -> Mapping[str, Any]:
    found = _json(value) if isinstance(value, Said) else value
    kinds = get_args(hint)
    if not isinstance(found, Mapping):
        raise wrong(place, value, "a JSON object" if isinstance(value, Said) else "a table")
    if len(kinds) == 2 and kinds[1] is str and not all(isinstance(one, str) for one in found.values()):
        raise wrong(place, value, "a table of texts")
    return dict(found)


def _json(value: Said) -> Any:
    try:
        return json.loads(value.text)
    except ValueError:
        return None


def listed(value: Any, place: Place) -> list[Any]:
    """Return a list of tables, as `[[models]]` is one."""
    found = _json(value) if isinstance(value, Said) else value
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise wrong(place, value, "a list of tables")
    return list(found)


_READERS: Mapping[Any, Callable[[Any, Any, Place], Any]] = {
    bool: _flag,
    int: _whole,
    float: _number,
    str: _text,
    tuple: _texts,
    dict: _table,
    Mapping: _table,
    Literal: _choice,
}
