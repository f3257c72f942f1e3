"""The control words by name, one file each."""

from __future__ import annotations

import sys

from bot.command import Command
from bot.registry import discover

_BESIDES = ("router", "run", "texts")


def found() -> dict[str, Command]:
    """Return every command by its name."""
    return discover(sys.modules[__name__], "COMMAND", Command, besides=_BESIDES)
