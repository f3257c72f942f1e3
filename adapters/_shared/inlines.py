"""Cutting a line of nodes: at a place that a reader would choose, with every mark and link kept on both sides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from adapters._shared.characters import boundary
from adapters._shared.plain import with_address
from adapters._shared.search import most
from adapters._shared.tree import Break, Code, Image, Inline, Inlines, Link, Marked, Text

_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*(?=\s)|[。！？]")
_FIRST_STEP = 64


def cut(nodes: Inlines, fits: Callable[[Inlines], bool]) -> tuple[Inlines, Inlines]:
    """Return the longest beginning that fits, cut at a good place, and the rest. The beginning may be empty."""
    text = spelled(nodes)
    most_fitting = most(len(text), lambda count: fits(divide(nodes, count)[0]), step=_FIRST_STEP)
    if most_fitting in (0, len(text)):
        return (nodes, ()) if most_fitting else ((), nodes)
    place = good_place(text, most_fitting)
    end = len(text[:place].rstrip())
    if end == 0 or not fits(divide(nodes, end)[0]):
        place = end = most_fitting
    start = place + len(text[place:]) - len(text[place:].lstrip())
    return divide(nodes, end)[0], divide(nodes, start)[1]


def good_place(text: str, most_fitting: int) -> int:
    """Return the best place to cut within the first characters: sentence, line, word, visible character."""
    window = text[:most_fitting]
    half = most_fitting // 2
    sentences = [match.end() for match in _SENTENCE_END.finditer(text, half, most_fitting + 1)]
    sentences = [end for end in sentences if end <= most_fitting]
    if sentences:
        return sentences[-1]
    line = window.rfind("\n")
    if line > half:
        return line
    if text[most_fitting].isspace():
        return most_fitting
    word = len(window) - len(_last_word(window))
    return word or boundary(text, most_fitting)


def spelled(nodes: Inlines) -> str:
    """Return the characters by which `divide` counts: an image counts as one."""
    return "".join(_spelled(node) for node in nodes)


def divide(nodes: Inlines, at: int) -> tuple[Inlines, Inlines]:
    """Return what stands before and behind a place."""
    for index, node in enumerate(nodes):
        size = len(_spelled(node))
        if at < size:
            before, after = _divided(node, at) if at > 0 else ((), (node,))
            return nodes[:index] + before, after + nodes[index + 1 :]
        at -= size
    return nodes, ()


def loosen(nodes: Inlines) -> Inlines | None:
    """Return the same with its first node in a plainer form, None where that is plain text already."""
    first, rest = nodes[0], nodes[1:]
    match first:
        case Text():
            return None
        case Code():
            return (Text(text=first.text), *rest)
        case Break():
            return rest
        case Image():
            label = first.alt or first.url
            return (Text(text=label + with_address(label, first.url)), *rest)
        case Marked():
            return first.children + rest
        case Link():
            address = with_address(spelled(first.children), first.url)
            return (*first.children, *((Text(text=address),) if address else ()), *rest)
        case _:
            assert_never(first)


def _last_word(text: str) -> str:
    place = len(text)
    while place and not text[place - 1].isspace():
        place -= 1
    return text[place:]


def _spelled(node: Inline) -> str:
    match node:
        case Text() | Code():
            return node.text
        case Break():
            return "\n"
        case Image():
            return "\ufffc"
        case Marked() | Link():
            return spelled(node.children)
        case _:
            assert_never(node)


def _divided(node: Inline, at: int) -> tuple[Inlines, Inlines]:
    match node:
        case Text() | Code():
            return (replace(node, text=node.text[:at]),), (replace(node, text=node.text[at:]),)
        case Marked() | Link():
            before, after = divide(node.children, at)
            return (replace(node, children=before),), (replace(node, children=after),)
        case Break() | Image():
            raise AssertionError("a single character has no inside")
        case _:
            assert_never(node)
