"""Cards as text and inline keyboards, and clicks as control words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Any

import orjson

from adapters._shared.characters import blank, boundary
from adapters._shared.markdown import clean, literal, parse
from adapters._shared.tree import Block, Blocks, Inlines, Item, List, Mark, Marked, Paragraph, Text
from adapters.telegram import texts
from adapters.telegram.facts import MAX_BUTTONS, MAX_BUTTONS_IN_ROW, MAX_CALLBACK_BYTES, MAX_KEYBOARD_BYTES
from bot.cards import Action, Card, Field, Style

_ROW_CHARACTERS = 30
"""What the labels of one row may take together before they are cut on a phone."""
_BETWEEN_BUTTONS = 3
"""Bytes of the brackets and commas around a button."""
_LABEL_CHARACTERS = 60
"""More of a label is not shown on any screen."""
_STYLES = {Style.PRIMARY: "primary", Style.DANGER: "danger"}


def card_blocks(card: Card) -> Blocks:
    """Return what a card says in words: its text, its fields, and the actions that no button can carry."""
    blocks: list[Block] = list(parse(card.text))
    lines = [_field_line(field) for field in card.fields]
    _, typed = _buttons(card.actions)
    lines += [literal(texts.typed(action.label, action.value)) for action in typed]
    if lines:
        blocks.append(List(items=tuple(Item(children=(Paragraph(children=line),)) for line in lines)))
    if card.deadline is not None:
        blocks.append(Paragraph(children=(Text(text=texts.open_until(card.deadline.astimezone(UTC))),)))
    return tuple(blocks)


def keyboard(card: Card) -> list[list[dict[str, Any]]]:
    """Return the rows of the inline keyboard, short labels side by side."""
    pressed, _ = _buttons(card.actions)
    rows: list[list[dict[str, Any]]] = []
    taken = 0
    for action in pressed:
        size = min(len(action.label), _LABEL_CHARACTERS)
        if not rows or len(rows[-1]) == MAX_BUTTONS_IN_ROW or taken + size > _ROW_CHARACTERS:
            rows.append([])
            taken = 0
        rows[-1].append(_button(action))
        taken += size
    return rows


def control_word(data: str) -> str:
    """Return what a click says, from the data that its button carried."""
    return data.strip()


def _buttons(actions: Sequence[Action]) -> tuple[list[Action], list[Action]]:
    """Return the actions that buttons can carry, and the others."""
    pressed: list[Action] = []
    typed: list[Action] = []
    room = MAX_KEYBOARD_BYTES
    for action in actions:
        size = len(orjson.dumps(_button(action))) + _BETWEEN_BUTTONS if _can_be_pressed(action) else 0
        fits = 0 < size <= room and len(pressed) < MAX_BUTTONS
        room -= size if fits else 0
        (pressed if fits else typed).append(action)
    return pressed, typed


def _can_be_pressed(action: Action) -> bool:
    return 0 < len(_storable(action.value)) <= MAX_CALLBACK_BYTES and not blank(action.label)


def _storable(word: str) -> bytes:
    """Return the word as the platform counts it; empty where no button could say it back as it is."""
    return word.encode() if word == clean(word) else b""


def _label(text: str) -> str:
    text = clean(text).strip()
    if len(text) <= _LABEL_CHARACTERS:
        return text
    return text[: boundary(text, _LABEL_CHARACTERS - 1)] + "…"


def _button(action: Action) -> dict[str, Any]:
    style = _STYLES.get(action.style)
    button: dict[str, Any] = {"text": _label(action.label), "callback_data": action.value}
    return {**button, "style": style} if style else button


def _field_line(field: Field) -> Inlines:
    choices = ", ".join(option.label for option in field.options) or field.placeholder
    label = Marked(mark=Mark.STRONG, children=literal(f"{field.label}:"))
    return (label, *literal(f" {choices}")) if choices else (label,)
