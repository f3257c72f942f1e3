"""Cards as what the page draws, and what pressing a button says. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import Any

from adapters._shared.markdown import clean
from adapters.web import texts
from bot.cards import Action, Card, Field, FieldKind, Style
from bot.errors import DeckhandError

_CHOOSING = (FieldKind.CHOICE, FieldKind.MANY)


class Unfilled(DeckhandError):
    """A form was sent that is not filled in right; the sentence is for the person."""


def card_body(card: Card, to_html: Callable[[str], str]) -> dict[str, Any]:
    """Return the card as the page draws it."""
    return {
        "html": to_html(card.text) if card.text else "",
        "fields": [_field(field) for field in card.fields],
        "actions": [
            {
                "label": clean(action.label or action.value),
                "value": clean(action.value),
                "style": action.style.value,
                "takes_fields": bool(card.fields) and _takes_fields(place, action),
            }
            for place, action in enumerate(card.actions)
        ],
        "until": card.deadline.astimezone(UTC).isoformat(timespec="minutes") if card.deadline else "",
    }


def says(card: Mapping[str, Any], action: int, values: Mapping[str, Sequence[str]]) -> str:
    """Return the words that a press stands for: the button's own, then what was filled in.

    One field follows on the same line, as a person would type it; several stand on lines of their own.
    Raises `Unfilled`, and `IndexError` when there is no such button.
    """
    pressed = card["actions"][action]
    word = str(pressed["value"])
    fields = card["fields"] if pressed["takes_fields"] else ()
    filled = [(field, _given(field, values.get(field["name"], ()))) for field in fields]
    if len(filled) == 1:
        return f"{word} {filled[0][1]}".strip()
    return "\n".join([word, *(f"{field['name']}: {value}" for field, value in filled if value)])


def label_of(card: Mapping[str, Any], action: int, values: Mapping[str, Sequence[str]]) -> str:
    """Return what the page shows of a press."""
    pressed = card["actions"][action]
    label = str(pressed["label"])
    fields = card["fields"] if pressed["takes_fields"] else ()
    shown = [_shown(field, values.get(field["name"], ())) for field in fields]
    return ": ".join([label, ", ".join(value for value in shown if value)]).removesuffix(": ")


def _takes_fields(place: int, action: Action) -> bool:
    """Say whether a button sends the form; a plain one behind others, such as Cancel, only says its word."""
    return place == 0 or action.style is not Style.PLAIN


def _field(field: Field) -> dict[str, Any]:
    return {
        "name": clean(field.name),
        "label": clean(field.label),
        "kind": field.kind.value,
        "options": [{"label": clean(option.label), "value": clean(option.value)} for option in field.options],
        "required": field.required,
        "placeholder": clean(field.placeholder),
    }


def _given(field: Mapping[str, Any], values: Sequence[str]) -> str:
    """Return the value of one field, checked."""
    given = [value.strip() for value in values if value.strip()]
    if field["kind"] == FieldKind.CHECKBOX:
        return "yes" if given else "no"
    if not given and field["required"]:
        raise Unfilled(texts.missing_field(field["label"]))
    if field["kind"] in _CHOOSING:
        known = {option["value"] for option in field["options"]}
        if not known.issuperset(given):
            raise Unfilled(texts.not_an_option(field["label"]))
        return ", ".join(given if field["kind"] == FieldKind.MANY else given[:1])
    return given[0] if given else ""


def _shown(field: Mapping[str, Any], values: Sequence[str]) -> str:
    labels = {option["value"]: option["label"] for option in field["options"]}
    return ", ".join(labels.get(value, value) for value in values)
