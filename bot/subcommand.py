"""Subcommand: one word of the command line, what it takes and what it does. Adapters may offer some too."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class Terminal(Protocol):
    """Where the person sits who called."""

    def say(self, text: str) -> None:
        """Show the result."""
        ...

    def tell(self, text: str) -> None:
        """Show what is beside the result: progress, and what went wrong."""
        ...

    def ask(self, question: str, *, secret: bool = False) -> str:
        """Return the trimmed answer, empty where nobody can answer; `secret` does not show what is typed."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Summons:
    """How a sub-command was called."""

    arguments: Namespace
    folder: Path
    """Where `.env` and `bot.toml` lie."""
    environment: Mapping[str, str] | None
    """None: the process's own."""
    terminal: Terminal


def no_arguments(_parser: ArgumentParser) -> None:
    """Take none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subcommand:
    """One file in `bot/console/` offers one as `SUBCOMMAND`. Importing it must cost nothing."""

    name: str
    summary: str
    """One line for `deckhand --help`."""
    run: Callable[[Summons], int]
    """Do it and return the exit code. May raise any `DeckhandError`, whose sentence is shown."""
    arguments: Callable[[ArgumentParser], None] = no_arguments
    """Declare what it takes."""
