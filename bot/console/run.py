"""`deckhand run`: the bot, in the foreground, until it is asked to stop."""

from __future__ import annotations

from bot.console import _texts as texts
from bot.subcommand import Subcommand, Summons


def run(summons: Summons) -> int:
    """Start the bot with everything that the settings turn on."""
    from bot.console._catalogue import platforms
    from bot.console._reading import settings_of, turned_on
    from bot.console._serving import in_loop, log_for, serve

    adapters = platforms()
    settings = settings_of(summons, adapters)
    log_for(settings)
    return in_loop(serve(settings, turned_on(settings, adapters), summons.terminal))


SUBCOMMAND = Subcommand(name="run", summary=texts.RUN, run=run)
