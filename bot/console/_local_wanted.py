"""`python -m bot.console._local_wanted`: whether the settings lead to the embedded model; for the Makefile."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from bot.console._reading import settings_of
from bot.console._terminal import StandardTerminal
from bot.errors import DeckhandError
from bot.subcommand import Summons


def wanted(folder: Path) -> bool:
    """Say whether a bot that is started in this folder would use the embedded model."""
    summons = Summons(arguments=Namespace(), folder=folder, environment=None, terminal=StandardTerminal())
    try:
        settings = settings_of(summons)
    except DeckhandError:
        # Whoever starts the bot next is told.
        return False
    return any(profile.provider == "local" for profile in settings.profiles)


if __name__ == "__main__":
    sys.exit(0 if wanted(Path.cwd()) else 1)
