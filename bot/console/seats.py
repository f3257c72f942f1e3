"""`deckhand seats`: every place where something is decided."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence

from bot.console import _texts as texts
from bot.seat import Seat
from bot.subcommand import Subcommand, Summons

TITLES = ("id", "seat", "who", "rule", "setting")


def run(summons: Summons) -> int:
    """Print the table, or a list of objects."""
    from bot.console._catalogue import seats

    found = list(seats())
    summons.terminal.say(as_json(found) if summons.arguments.json else as_table(found))
    return 0


def as_json(seats: Iterable[Seat]) -> str:
    """Return the seats as a list of objects."""
    import json

    rows = [{**dict(zip(("id", "title", "who", "rule", "setting"), row(seat), strict=True))} for seat in seats]
    return json.dumps(rows, indent=2, ensure_ascii=False)


def as_table(seats: Iterable[Seat]) -> str:
    """Return the seats in columns; the rule comes last, because it is long."""
    rows = [TITLES, *(row(seat) for seat in seats)]
    rows = [(id, title, who, setting, rule) for id, title, who, rule, setting in rows]
    return columns(rows)


def row(seat: Seat) -> tuple[str, str, str, str, str]:
    return (seat.id, seat.title, seat.who.value, seat.rule, seat.setting)


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of text with their cells below each other."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "\n".join(lines)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=texts.JSON)


SUBCOMMAND = Subcommand(name="seats", summary=texts.SEATS_SUMMARY, run=run, arguments=arguments)
