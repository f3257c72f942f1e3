"""Whether an event was meant for us. A helper of the steps."""

from __future__ import annotations

from bot.events import Event, Kind
from bot.people import Standing

_BY_NATURE = frozenset({Kind.CLICK, Kind.FORM, Kind.COMMAND, Kind.WEBHOOK})
"""Our own controls, our own command menu, and webhooks that an adapter was told to answer."""


def addressed(event: Event, standing: Standing) -> bool:
    """Say whether the event speaks to the bot, whatever it did before in this room."""
    return event.direct or event.mentions_bot or standing.quotes_us or event.kind in _BY_NATURE
