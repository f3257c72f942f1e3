"""`deckhand hooks`: what lies around the model, from the outside in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.console import _texts as texts
from bot.subcommand import Subcommand, Summons

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent.hook import Hook


def run(summons: Summons) -> int:
    """Print the hooks in their order."""
    from bot.console._catalogue import hooks

    summons.terminal.say(as_table(hooks()))
    return 0


def as_table(hooks: Iterable[Hook]) -> str:
    """Return the hooks in columns."""
    from bot.console.seats import columns

    rows = [("", "hook", "seats", "after", "before")]
    for number, hook in enumerate(hooks, start=1):
        seats = " ".join(seat.id for seat in hook.seats)
        rows.append((str(number), hook.name, seats, " ".join(hook.after), " ".join(hook.before)))
    return columns(rows)


SUBCOMMAND = Subcommand(name="hooks", summary=texts.HOOKS, run=run)
