"""The command line, one file a sub-command."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path

import bot.console._texts as texts
from bot.console._terminal import StandardTerminal
from bot.errors import DeckhandError
from bot.registry import discover
from bot.subcommand import Subcommand, Summons, Terminal

FAILED = 1
INTERRUPTED = 130
"""What a shell expects of a program that Ctrl+C ended."""


def found() -> dict[str, Subcommand]:
    """Return every sub-command by its name."""
    return discover(sys.modules[__name__], "SUBCOMMAND", Subcommand)


def call(
    words: Sequence[str], *, environment: Mapping[str, str] | None = None, terminal: Terminal | None = None
) -> int:
    """Do what a command line says and return the exit code; `environment` is the process's own unless given."""
    subcommands = found()
    arguments = _parser(subcommands).parse_args(words)
    terminal = terminal or StandardTerminal()
    summons = Summons(
        arguments=arguments, folder=Path(arguments.folder).absolute(), environment=environment, terminal=terminal
    )
    try:
        return subcommands[arguments.subcommand].run(summons)
    except DeckhandError as error:
        terminal.tell(texts.failed(str(error)))
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser(subcommands: Mapping[str, Subcommand]) -> ArgumentParser:
    parser = ArgumentParser(prog="deckhand", description=texts.DESCRIPTION, epilog=texts.EPILOG)
    parser.add_argument("--folder", default=".", metavar="PATH", help=texts.FOLDER)
    words = parser.add_subparsers(dest="subcommand", required=True, metavar="COMMAND", title="commands")
    for subcommand in subcommands.values():
        own = words.add_parser(subcommand.name, help=subcommand.summary, description=subcommand.summary)
        subcommand.arguments(own)
    return parser
