"""Entities: what stands over which part of a text, as bots give it and as the server finds it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from adapters._shared.utf16 import offsets, units
from adapters.telegram.simulator.limits import ENTITIES
from adapters.telegram.simulator.refusals import bad

Entity = dict[str, Any]

# https://core.telegram.org/bots/api#messageentity
TYPES = frozenset(
    [
        "mention",
        "hashtag",
        "cashtag",
        "bot_command",
        "url",
        "email",
        "phone_number",
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "spoiler",
        "blockquote",
        "expandable_blockquote",
        "code",
        "pre",
        "text_link",
        "text_mention",
        "custom_emoji",
        "date_time",
    ]
)
_SCHEMES = frozenset({"http", "https", "ftp", "tg", "ton", "tonsite", "mailto", "tel"})

# Most texts hold none of these: looking for them first is much cheaper than the search below.
_HINT = re.compile(r"[@#/]|\.\w")
_FOUND = re.compile(
    r"(?P<url>https?://[^\s<>\"]+[^\s<>\"'.,;:!?)\]}])"
    r"|(?P<email>(?<![\w.+-])[\w.+-]+@[\w-]+\.[A-Za-z]{2,}\b)"
    r"|(?P<mention>(?<![\w@/])@[A-Za-z][A-Za-z0-9_]{2,31}\b)"
    r"|(?P<bot_command>(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/@]))"
    r"|(?P<hashtag>(?<![\w#&])#\w*[^\W\d]\w*)"
    r"|(?P<bare>(?<![\w@/.-])(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|de|eu|uk|fr|ch)\b(?:/[^\s<>\"]*[^\s<>\"'.,;:!?)])?)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Styled:
    """A text and what stands over it."""

    text: str
    entities: tuple[Entity, ...] = ()


def check(text: str, given: Any, problems: list[str]) -> tuple[Entity, ...]:
    """Return the entities that a bot gave, as the server keeps them; raises what the server would answer."""
    if not isinstance(given, list):
        raise bad("can't parse entities: expected an Array of MessageEntity")
    data = text.encode("utf-16-le", "surrogatepass")
    kept = [_checked(data, entity) for entity in given]
    kept = sorted((entity for entity in kept if entity["length"] > 0), key=_order)
    if len(kept) > ENTITIES:
        problems.append(f"{len(kept)} entities: those beyond {ENTITIES} are ignored")
    problems.extend(_crossings(kept))
    return tuple(kept[:ENTITIES])


def _order(entity: Entity) -> tuple[int, int]:
    return entity["offset"], -entity["length"]


def _checked(data: bytes, entity: Any) -> Entity:
    kept = _typed(entity)
    start, end = kept["offset"], kept["offset"] + kept["length"]
    length = len(data) // 2
    if start < 0:
        raise bad(f"receive an entity with incorrect offset {start}")
    if kept["length"] < 0:
        raise bad(f"receive an entity with incorrect length {kept['length']}")
    if start > length:
        raise bad(f"entity begins after the end of the text at UTF-16 offset {start}")
    if end > length:
        raise bad(f"entity beginning at UTF-16 offset {start} ends after the end of the text at UTF-16 offset {end}")
    if _cuts(data, start):
        raise bad(f"entity begins in a middle of a UTF-16 symbol at byte offset {_byte(data, start)}")
    if _cuts(data, end):
        raise bad(
            f"entity beginning at UTF-16 offset {start} ends in a middle of a UTF-16 symbol "
            f"at byte offset {_byte(data, end)}"
        )
    return kept


def _typed(entity: Any) -> Entity:
    if not isinstance(entity, dict):
        raise bad("can't parse MessageEntity: expected an Object")
    for name in ("type", "offset", "length"):
        if name not in entity:
            raise bad(f"can't parse MessageEntity: Can't find field \"{name}\"")
    kind = entity["type"]
    if kind not in TYPES:
        raise bad("can't parse MessageEntity: Unsupported type specified")
    try:
        kept: Entity = {"type": kind, "offset": int(entity["offset"]), "length": int(entity["length"])}
    except (TypeError, ValueError):
        raise bad('can\'t parse MessageEntity: Field "offset" must be a valid Number') from None
    if kind == "text_link":
        kept["url"] = _url(entity)
    if kind == "text_mention":
        kept["user"] = entity.get("user")
    if kind == "pre" and entity.get("language"):
        kept["language"] = str(entity["language"])
    if kind == "custom_emoji":
        kept["custom_emoji_id"] = str(entity.get("custom_emoji_id", ""))
    return kept


def _url(entity: Entity) -> str:
    if "url" not in entity:
        raise bad("can't parse MessageEntity: Can't find field \"url\"")
    url = str(entity["url"])
    if not is_address(url):
        raise bad(f"entity URL '{url}' is invalid: Wrong HTTP URL")
    return url


def is_address(url: str) -> bool:
    """Say whether the server takes an address for a link."""
    if not url or re.search(r"[\s<>]", url):
        return False
    try:
        parts = urlsplit(url if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", url) else f"http://{url}")
    except ValueError:
        return False
    if parts.scheme not in _SCHEMES:
        return False
    if parts.scheme not in ("http", "https", "ftp"):
        return True
    return "." in (parts.hostname or "").strip(".")


def _cuts(data: bytes, place: int) -> bool:
    return 0 < 2 * place < len(data) and 0xDC <= data[2 * place + 1] <= 0xDF


def _byte(data: bytes, place: int) -> int:
    return len(data[: 2 * place].decode("utf-16-le", "ignore").encode())


def _crossings(kept: Sequence[Entity]) -> list[str]:
    found = []
    open_until: list[int] = []
    for entity in kept:
        start, end = entity["offset"], entity["offset"] + entity["length"]
        open_until = [until for until in open_until if until > start]
        if any(end > until for until in open_until):
            found.append(f"{entity['type']} at {start}..{end} crosses another entity")
        open_until.append(end)
    return found


def trim(styled: Styled) -> Styled:
    """Return the text without blanks at its ends, as the server shows it."""
    text = styled.text.rstrip()
    cut = units(text[: len(text) - len(text.lstrip())])
    text = text.lstrip()
    if text == styled.text:
        return styled
    length = units(text)
    kept = []
    for entity in styled.entities:
        start = max(0, entity["offset"] - cut)
        end = min(length, entity["offset"] + entity["length"] - cut)
        if end > start:
            kept.append({**entity, "offset": start, "length": end - start})
    return Styled(text=text, entities=tuple(kept))


def detect(styled: Styled) -> Styled:
    """Add what the server finds by itself: mentions, commands, addresses and hashtags."""
    matches = list(_FOUND.finditer(styled.text)) if _HINT.search(styled.text) else []
    if not matches:
        return styled
    places = offsets(styled.text, (place for match in matches for place in match.span()))
    taken = [
        (entity["offset"], entity["offset"] + entity["length"])
        for entity in styled.entities
        if entity["type"] in ("code", "pre", "text_link", "text_mention", "mention", "bot_command", "url")
    ]
    found = list(styled.entities)
    for match in matches:
        start, end = places[match.start()], places[match.end()]
        if not any(start < until and since < end for since, until in taken):
            kind = "url" if match.lastgroup == "bare" else match.lastgroup
            found.append({"type": kind, "offset": start, "length": end - start})
    return Styled(text=styled.text, entities=tuple(sorted(found, key=_order)))


def covered(styled: Styled, entity: Entity) -> str:
    """Return the text that an entity stands over."""
    data = styled.text.encode("utf-16-le", "surrogatepass")
    return data[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le", "surrogatepass")
