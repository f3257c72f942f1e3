"""A strict judge of message entities, after the Bot API's rules.

https://core.telegram.org/bots/api#formatting-options. Where the page is silent (what a quote may hold) the judge
follows the platform's own library, which lets a quote hold everything but another quote.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

_SPLITTABLE = {"bold", "italic", "strikethrough"}
_KNOWN = _SPLITTABLE | {"code", "pre", "text_link", "blockquote"}
_FIELDS = {"text_link": {"url"}, "pre": {"language"}}


def violations(text: str, entities: Sequence[dict[str, Any]]) -> list[str]:
    """Return what is wrong with a message's entities, each in a sentence."""
    units = text.encode("utf-16-le")
    code_starts = {entity["offset"] for entity in entities if entity["type"] == "pre"}
    found = [problem for entity in entities for problem in _alone(units, entity, code_starts)]
    places = [(entity["offset"], -entity["length"]) for entity in entities]
    if places != sorted(places):
        found.append(f"not sorted: {places}")
    for index, outer in enumerate(entities):
        found += [problem for inner in entities[index + 1 :] for problem in _together(outer, inner)]
    if len(entities) > 100:
        found.append(f"{len(entities)} entities")
    return found


def covered(text: str, entity: dict[str, Any]) -> str:
    """Return the text that an entity stands over."""
    units = text.encode("utf-16-le")
    return units[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le")


def _alone(units: bytes, entity: dict[str, Any], code_starts: set[int]) -> list[str]:
    found: list[str] = []
    kind, start, end = entity["type"], entity["offset"], entity["offset"] + entity["length"]
    if kind not in _KNOWN:
        found.append(f"unknown type {kind}")
    if set(entity) - {"type", "offset", "length"} - _FIELDS.get(kind, set()):
        found.append(f"{kind} with fields {sorted(entity)}")
    if start < 0 or entity["length"] <= 0 or 2 * end > len(units):
        return [*found, f"{kind} at {start}..{end} of {len(units) // 2}"]
    if any(_is_inside_pair(units, place) for place in (start, end)):
        return [*found, f"{kind} at {start}..{end} cuts a character apart"]
    content = units[2 * start : 2 * end].decode("utf-16-le")
    if content != content.rstrip() or (start not in code_starts and content != content.lstrip()):
        found.append(f"{kind} has blanks at its edge: {content!r}")
    if kind == "text_link" and not _is_web_address(entity.get("url", "")):
        found.append(f"address {entity.get('url')!r}")
    return found


def _is_inside_pair(units: bytes, place: int) -> bool:
    return 0 < 2 * place < len(units) and 0xDC <= units[2 * place + 1] <= 0xDF


def _is_web_address(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and "." in (parts.hostname or "") and " " not in url


def _together(outer: dict[str, Any], inner: dict[str, Any]) -> list[str]:
    outer_end, inner_end = outer["offset"] + outer["length"], inner["offset"] + inner["length"]
    if inner["offset"] >= outer_end:
        return []
    pair = f"{outer['type']} {outer['offset']}..{outer_end}, {inner['type']} {inner['offset']}..{inner_end}"
    if inner_end > outer_end:
        return [f"overlap: {pair}"]
    kinds = {outer["type"], inner["type"]}
    if len(kinds) == 1:
        return [f"same type nested: {pair}"]
    if outer["type"] in ("code", "pre"):
        return [f"code holds another: {pair}"]
    if inner["type"] in ("code", "pre") and outer["type"] != "blockquote":
        return [f"code inside another: {pair}"]
    if inner["type"] == "blockquote" and outer["type"] not in _SPLITTABLE:
        return [f"quote inside another: {pair}"]
    return []
