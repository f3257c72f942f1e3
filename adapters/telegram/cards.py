"""Cards as text and inline keyboards, and clicks as control words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Any

from adapters._shared.markdown import literal, parse
from adapters._shared.tree import Block, Blocks, Inlines, Item, List, Mark, Marked, Paragraph, Text
from adapters.telegram import texts
from adapters.telegram.facts import MAX_BUTTONS, MAX_BUTTONS_IN_ROW, MAX_CALLBACK_BYTES
from bot.cards import Action, Card, Field, Style

_ROW_CHARACTERS = 30
"""What the labels of one row may take together before they are cut on a phone."""
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
        size = len(action.label)
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
    for action in actions:
        fits = 0 < len(action.value.encode()) <= MAX_CALLBACK_BYTES and action.label.strip() != ""
        (pressed if fits and len(pressed) < MAX_BUTTONS else typed).append(action)
    return pressed, typed


def _button(action: Action) -> dict[str, Any]:
    style = _STYLES.get(action.style)
    button: dict[str, Any] = {"text": action.label, "callback_data": action.value}
    return {**button, "style": style} if style else button


def _field_line(field: Field) -> Inlines:
    choices = ", ".join(option.label for option in field.options) or field.placeholder
    label = Marked(mark=Mark.STRONG, children=literal(f"{field.label}:"))
    return (label, *literal(f" {choices}")) if choices else (label,)
