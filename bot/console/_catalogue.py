"""What the folders hold, for whoever lists or configures it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import adapters
import agent
import bot
import commands
import scheduler
from bot.adapter import Adapter
from bot.registry import discover, load, modules
from bot.seat import Seat, Seats

if TYPE_CHECKING:
    from types import ModuleType

    from agent.hook import Hook

_DECLARES = re.compile(r"^SEATS\b", re.MULTILINE)


def platforms() -> Mapping[str, Adapter]:
    """Return every adapter by its name."""
    found = [cast("Adapter", load(f"{module.__name__}:ADAPTER")) for module in modules(adapters)]
    return {adapter.name: adapter for adapter in found}


def seats() -> Seats:
    """Return every seat; raises `RegistrationError` when two files declare the same."""
    return Seats(_declared())


def _declared() -> Iterator[tuple[str, Seat]]:
    for package in (bot, adapters, agent, commands, scheduler):
        for name in _declaring(package):
            for seat in cast("Sequence[Seat]", load(f"{name}:SEATS")):
                yield name, seat


def _declaring(package: ModuleType) -> Iterator[str]:
    """Return the modules that declare seats.

    Their text is looked at first: importing every module would load all the client libraries.
    """
    root = Path(next(iter(package.__path__)))
    for path in sorted(root.rglob("*.py")):
        if _DECLARES.search(path.read_text(encoding="utf-8")):
            inner = path.relative_to(root).with_suffix("").parts
            yield ".".join((package.__name__, *(piece for piece in inner if piece != "__init__")))


def hooks() -> Sequence[Hook]:
    """Return the agent's hooks, the outermost first."""
    import agent.hooks
    from agent.hook import Hook

    return agent.hooks.ordered(discover(agent.hooks, "HOOK", Hook).values())
