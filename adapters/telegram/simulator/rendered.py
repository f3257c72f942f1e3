"""Rendered: a text with its entities as HTML, so that a test can read what is formatted how."""

from __future__ import annotations

import html

from adapters.telegram.simulator.entities import Entity, Styled

_TAGS = {
    "bold": "b",
    "italic": "i",
    "underline": "u",
    "strikethrough": "s",
    "spoiler": "tg-spoiler",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "expandable_blockquote": "blockquote",
    "text_link": "a",
}


def html_of(styled: Styled) -> str:
    """Return the text as HTML of the server's own parse mode; what the server finds by itself stays plain."""
    marks: dict[int, tuple[list[str], list[str]]] = {}
    shaped = [entity for entity in styled.entities if entity["type"] in _TAGS]
    for entity in sorted(shaped, key=lambda entity: (entity["offset"], -entity["length"])):
        begin, end = _tags(entity)
        marks.setdefault(entity["offset"], ([], []))[1].append(begin)
        marks.setdefault(entity["offset"] + entity["length"], ([], []))[0].insert(0, end)
    data = styled.text.encode("utf-16-le", "surrogatepass")
    pieces: list[str] = []
    before = 0
    for place in sorted(marks):
        pieces.append(_escaped(data, before, place))
        closing, opening = marks[place]
        pieces += closing + opening
        before = place
    pieces.append(_escaped(data, before, len(data) // 2))
    return "".join(pieces)


def _escaped(data: bytes, start: int, end: int) -> str:
    return html.escape(data[2 * start : 2 * end].decode("utf-16-le", "surrogatepass"), quote=False)


def _tags(entity: Entity) -> tuple[str, str]:
    tag = _TAGS[entity["type"]]
    if tag == "a":
        return f'<a href="{html.escape(entity["url"])}">', "</a>"
    if entity.get("language"):
        return f'<pre><code class="language-{html.escape(entity["language"])}">', "</code></pre>"
    if entity["type"] == "expandable_blockquote":
        return "<blockquote expandable>", "</blockquote>"
    return f"<{tag}>", f"</{tag}>"
