"""Reading: take typed values out of JSON. What has the wrong type is a `ValueError` that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]


def an_object(data: Json, key: str) -> Json | None:
    """Return an object, None where there is none."""
    value = data.get(key)
    if value is None or isinstance(value, dict):
        return value
    raise ValueError(f"{key} is not an object")


def the_object(data: Json, key: str) -> Json:
    """Return an object that must be there."""
    value = an_object(data, key)
    if value is None:
        raise ValueError(f"{key} is missing")
    return value


def objects(data: Json, key: str) -> tuple[Json, ...]:
    """Return a list of objects, empty where there is none."""
    value = data.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError(f"{key} is not a list of objects")
    return tuple(value)


def an_integer(data: Json, key: str) -> int | None:
    """Return an integer, None where there is none."""
    value = data.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63):
        return value
    raise ValueError(f"{key} is not an integer of 64 bits")


def the_integer(data: Json, key: str) -> int:
    """Return an integer that must be there."""
    value = an_integer(data, key)
    if value is None:
        raise ValueError(f"{key} is missing")
    return value


def a_number(data: Json, key: str) -> float:
    """Return a number that must be there."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{key} is not a number")
    return value


def a_string(data: Json, key: str) -> str:
    """Return a string that any database can keep, empty where there is none."""
    value = data.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{key} is not a string")
    return value if value.isascii() and "\0" not in value else _storable(value)


def the_string(data: Json, key: str) -> str:
    """Return a string that must be there and not be empty."""
    value = a_string(data, key)
    if not value:
        raise ValueError(f"{key} is missing")
    return value


def a_flag(data: Json, key: str) -> bool:
    """Return whether something is said to be so."""
    value = data.get(key)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise ValueError(f"{key} is neither true nor false")


def _storable(value: str) -> str:
    """Return the text with halves of characters and NULs replaced, one for one, so that offsets stay true."""
    return value.replace("\0", "�").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
