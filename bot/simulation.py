"""Simulation: the bot among simulated platforms, in a home of its own, on this machine only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import adapters
from bot.assembly import Assembled, Platforms, assemble
from bot.registry import load, modules
from bot.settings import AdapterSettings, Settings
from bot.simulator import Simulator
from storage.opened import SIMULATED

HOST = "127.0.0.1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Simulation:
    """Simulated platforms, and the bot that talks there."""

    simulators: Sequence[Simulator]
    assembled: Assembled | None
    """None where only the platforms were wanted."""

    async def close(self) -> None:
        """Stop the bot, then the platforms."""
        if self.assembled is not None:
            await self.assembled.close()
        for simulator in self.simulators:
            await simulator.stop()


def simulators() -> Sequence[Simulator]:
    """Return a simulator of every platform that has one."""
    made = []
    for module in modules(adapters):
        maker = load(f"{module.__name__}.simulator.trial:SIMULATOR", missing=None)
        if callable(maker):
            made.append(cast("Simulator", maker()))
    return made


async def start_platforms(first_port: int) -> Sequence[Simulator]:
    """Start every simulated platform, on ports from `first_port` on; 0 takes free ones."""
    started = []
    for place, simulator in enumerate(simulators()):
        await simulator.start(HOST, first_port + place if first_port else 0)
        started.append(simulator)
    return started


async def simulate(settings: Settings, platforms: Platforms, *, first_port: int) -> Simulation:
    """Start the simulated platforms and a bot that talks there and on the web page; its people are members."""
    started = await start_platforms(first_port)
    own = among(settings, {simulator.name: simulator.environment for simulator in started})
    chosen = {name: adapter for name, adapter in platforms.items() if name in own.adapters}
    assembled = await assemble(own, chosen, people=SIMULATED)
    return Simulation(simulators=started, assembled=assembled)


def among(settings: Settings, environments: Mapping[str, Mapping[str, str]]) -> Settings:
    """Return the settings for simulated people: a home of their own, loopback only, everyone a member."""
    own = {
        name: AdapterSettings(environment=environments.get(name, {}), options=adapter.options)
        for name, adapter in settings.adapters.items()
        if name in environments or not adapter.environment
    }
    for name, environment in environments.items():
        own[name] = AdapterSettings(environment=environment, options=own[name].options if name in own else {})
    return replace(
        settings,
        home=settings.home / "sim",
        database_url="",
        web=replace(settings.web, host=HOST),
        access=replace(settings.access, open=True),
        adapters=own,
    )
