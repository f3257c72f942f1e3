"""`deckhand sim`: the bot among simulated people and platforms."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.console import _texts as texts
from bot.subcommand import Subcommand, Summons, Terminal

if TYPE_CHECKING:
    from bot.adapter import Adapter
    from bot.settings import Settings
    from bot.simulation import Simulation

FIRST_PORT = 8011


def run(summons: Summons) -> int:
    """Start the simulated platforms, and the bot unless only they are wanted."""
    from bot.console._catalogue import platforms
    from bot.console._reading import settings_of
    from bot.console._serving import in_loop, log_for

    adapters = platforms()
    settings = settings_of(summons, adapters)
    log_for(settings)
    first_port = int(summons.arguments.first_port)
    if summons.arguments.platforms_only:
        return in_loop(_platforms(first_port, summons.terminal))
    return in_loop(_bot(settings, adapters, first_port, summons.terminal))


async def _bot(settings: Settings, adapters: Mapping[str, Adapter], first_port: int, terminal: Terminal) -> int:
    from bot.assembly import PAGE
    from bot.console._serving import introduce, on_signals, until_asked
    from bot.simulation import simulate

    asked = on_signals()
    # Its own folder is made here: simulated people never come near the real home's files.
    await asyncio.to_thread((settings.home / "sim").mkdir, parents=True, exist_ok=True)
    simulation = await simulate(settings, adapters, first_port=first_port)
    show(simulation, terminal)
    assembled = simulation.assembled
    assert assembled is not None
    introduce(assembled, terminal, page=PAGE in settings.adapters)
    if settings.profiles[0].provider == "local":
        terminal.tell(texts.WEAK_MODEL)
    return await until_asked(asked, simulation, terminal, lost=assembled.lost)


async def _platforms(first_port: int, terminal: Terminal) -> int:
    from bot.console._serving import on_signals, until_asked
    from bot.simulation import Simulation, start_platforms

    asked = on_signals()
    simulation = Simulation(simulators=await start_platforms(first_port), assembled=None)
    show(simulation, terminal)
    return await until_asked(asked, simulation, terminal)


def show(simulation: Simulation, terminal: Terminal) -> None:
    """Say where the simulated platforms are."""
    for simulator in simulation.simulators:
        terminal.tell(texts.simulated(simulator.name, simulator.url, simulator.environment))


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--platforms-only", action="store_true", help=texts.PLATFORMS_ONLY)
    parser.add_argument("--first-port", type=int, default=FIRST_PORT, metavar="PORT", help=texts.FIRST_PORT)


SUBCOMMAND = Subcommand(name="sim", summary=texts.SIM, run=run, arguments=arguments)
