"""Mentions: who a text speaks to. Entities count in UTF-16 code units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adapters.telegram.reading import Json, a_string, an_integer, an_object, the_integer

_ADDRESSED_COMMAND = re.compile(r"\s*(/\w+)@(\w+)", re.ASCII)
_PUNCTUATION = " \t,:;"


@dataclass(frozen=True, kw_only=True, slots=True)
class Us:
    """The bot's own account."""

    id: int
    username: str
    """Without the @; compared without case."""

    def named(self, name: str) -> bool:
        """Say whether a name, with or without its @, is ours."""
        return bool(self.username) and name.removeprefix("@").casefold() == self.username.casefold()


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A text as the bot hears it."""

    text: str
    mentions_us: bool = False
    for_other_bot: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class _Change:
    """Put other text, or nothing, in the place of some code units."""

    start: int
    end: int
    text: str
    mention: bool


def hear(text: str, entities: Sequence[Json], us: Us) -> Said:
    """Return the text without our own name in it, with the addresses of its links, and whom it speaks to."""
    raw = text.encode("utf-16-le")
    changes = _apart(_changes(raw, entities, us))
    for change in reversed(changes):
        if change.mention and not change.text:
            raw = _without(raw, change)
        else:
            raw = raw[: 2 * change.start] + change.text.encode("utf-16-le") + raw[2 * change.end :]
    heard = raw.decode("utf-16-le", "replace")
    mentions_us = any(change.mention for change in changes)
    leading = _ADDRESSED_COMMAND.match(heard)
    if leading is None:
        return Said(text=heard, mentions_us=mentions_us)
    # Read without entities too: they are missing where a client or a library did not mark the command.
    if us.named(leading[2]):
        return Said(text=leading[1] + heard[leading.end() :], mentions_us=True)
    marked = any(entity.get("type") == "bot_command" for entity in entities)
    other = marked or leading[2].casefold().endswith("bot")
    return Said(text=heard, mentions_us=mentions_us, for_other_bot=other)


def _apart(changes: Iterable[_Change]) -> list[_Change]:
    """Return the changes in order, without those that lie inside another."""
    kept: list[_Change] = []
    for change in sorted(changes, key=lambda change: (change.start, -change.end)):
        if not kept or change.start >= kept[-1].end:
            kept.append(change)
    return kept


def _changes(raw: bytes, entities: Sequence[Json], us: Us) -> Iterator[_Change]:
    for entity in entities:
        start, length = the_integer(entity, "offset"), the_integer(entity, "length")
        end = start + length
        if start < 0 or length <= 0 or 2 * end > len(raw):
            continue
        covered = raw[2 * start : 2 * end].decode("utf-16-le", "replace")
        change = _change(entity, covered, us)
        if change is not None:
            yield _Change(start=start, end=end, text=change[0], mention=change[1])


def _change(entity: Json, covered: str, us: Us) -> tuple[str, bool] | None:
    """Return what stands in an entity's place and whether it mentions us; None: it stays as it is."""
    match a_string(entity, "type"):
        case "mention" if us.named(covered):
            return "", True
        case "text_mention" if _user_id(entity) == us.id:
            return "", True
        case "bot_command":
            command, _, name = covered.partition("@")
            return (command, True) if us.named(name) else None
        case "text_link":
            url = a_string(entity, "url")
            return (f"{covered} ({url})", False) if url and url.rstrip("/") != covered.rstrip("/") else None
        case _:
            return None


def _user_id(entity: Json) -> int | None:
    user = an_object(entity, "user")
    return None if user is None else an_integer(user, "id")


def _without(raw: bytes, change: _Change) -> bytes:
    """Take a mention out together with the space, or at the start the punctuation, that belonged to it."""
    before = raw[: 2 * change.start].decode("utf-16-le", "replace")
    after = raw[2 * change.end :].decode("utf-16-le", "replace")
    if not before.strip():
        before, after = "", after.lstrip(_PUNCTUATION)
    elif before[-1].isspace() and (not after or after[0].isspace() or after[0] in ".,:;!?"):
        before = before[:-1]
    return (before + after).encode("utf-16-le", "surrogatepass")
