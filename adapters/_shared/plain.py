"""Inline nodes as text without any markup, for places that cannot show it."""

from __future__ import annotations

from typing import assert_never

from adapters._shared.tree import Break, Code, Image, Inline, Inlines, Link, Marked, Text


def inline_text(nodes: Inlines) -> str:
    """Return the text, with the address of each link behind its label."""
    return "".join(_text(node) for node in nodes)


def with_address(label: str, url: str) -> str:
    """Return the address that has to follow a label, so that no reader misses it; empty where the label says it."""
    bare = url.removeprefix("mailto:")
    said = label.strip().removeprefix("mailto:")
    return "" if said in ("", bare, bare.rstrip("/"), bare.removeprefix("https://")) else f" ({bare})"


def _text(node: Inline) -> str:
    match node:
        case Text() | Code():
            return node.text
        case Break():
            return "\n"
        case Image():
            label = node.alt or node.url
            return label + with_address(label, node.url)
        case Marked():
            return inline_text(node.children)
        case Link():
            label = inline_text(node.children)
            return label + with_address(label, node.url)
        case _:
            assert_never(node)
