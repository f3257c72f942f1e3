"""`python -m bot` and `deckhand`."""

from __future__ import annotations

import sys

from bot.console import call


def main() -> None:
    """Do what the command line says and end with its exit code."""
    sys.exit(call(sys.argv[1:]))


if __name__ == "__main__":
    main()
