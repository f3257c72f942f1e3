"""Params: what a call gives, whichever form it came in. Forms carry numbers as text and objects as JSON text."""

from __future__ import annotations

from typing import Any

import orjson

from adapters._shared.simulator.bodies import Body, Upload
from adapters.telegram.simulator.refusals import bad

_TRUE = frozenset({"true", "True", "1", "yes"})


class Params:
    """The parameters of one call."""

    def __init__(self, body: Body, problems: list[str]) -> None:
        self._fields = body.fields
        self._uploads = body.uploads
        self.problems = problems
        """Where to note what is wrong, although it is accepted."""

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) not in (None, "")

    def text(self, name: str) -> str:
        value = self._fields.get(name)
        return "" if value is None else str(value)

    def integer(self, name: str, default: int = 0) -> int:
        value = self._fields.get(name)
        if value is None or value == "":
            return default
        try:
            return int(value)
        except (TypeError, ValueError):
            return default

    def number(self, name: str) -> float:
        try:
            return float(self.text(name) or 0)
        except ValueError:
            return 0.0

    def flag(self, name: str) -> bool:
        return str(self._fields.get(name)) in _TRUE

    def json(self, name: str) -> Any:
        """Return an object or list, None when it is not given."""
        value = self._fields.get(name)
        if not isinstance(value, str):
            return value
        if value == "":
            return None
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            what = "reply keyboard markup" if name == "reply_markup" else name
            raise bad(f"can't parse {what} JSON object") from None

    def raw(self, name: str) -> Any:
        return self._fields.get(name)

    def upload(self, name: str) -> Upload | None:
        return self._uploads.get(name)

    @property
    def chat_id(self) -> int | str:
        """The chat that is named, by number or by `@name`."""
        value = self.text("chat_id")
        if not value:
            raise bad("chat_id is empty")
        try:
            return int(value)
        except ValueError:
            return value


def decoded(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with JSON texts as what they stand for, for whoever reads the record."""
    return {name: _decoded(value) for name, value in fields.items()}


def _decoded(value: Any) -> Any:
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value
