"""Choosing a model: the buttons for it, and which name was nearest. A helper of the commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from bot.cards import Action, Card, Style
from bot.desk import ModelFacts
from bot.wording import one_line
from commands import texts

BUTTONS = 9
"""More models than this are reached by name; rows of buttons are short on every platform."""
LABEL_CHARACTERS = 40


def card(profiles: Sequence[ModelFacts], pin: str) -> Card:
    """Return a button for each model, the pinned one marked, and one to follow the agent's own."""
    models = (
        Action(
            label=one_line(profile.title or profile.name, most=LABEL_CHARACTERS),
            value=f"/model {profile.name}",
            style=Style.PRIMARY if profile.name == pin else Style.PLAIN,
        )
        for profile in profiles[:BUTTONS]
    )
    automatic = Action(label=texts.AUTOMATIC, value="/model auto", style=Style.PLAIN if pin else Style.PRIMARY)
    return Card(actions=(*models, automatic))


def default(profiles: Sequence[ModelFacts]) -> str:
    """Return the name of the model that answers where none is pinned."""
    return next((profile.name for profile in profiles if profile.default), profiles[0].name if profiles else "")


def nearest(word: str, names: Iterable[str]) -> str:
    """Return the name that is most like the word."""
    by_folded = {name.casefold(): name for name in names}
    return by_folded[get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.0)[0]]
