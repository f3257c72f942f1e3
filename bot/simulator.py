"""Simulator: a platform that runs on this machine, for trying the bot without an account or a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Simulator(Protocol):
    """One simulated platform. `adapters/<platform>/simulator/trial.py` offers a maker of one as `SIMULATOR`."""

    @property
    def name(self) -> str:
        """The adapter's name."""
        ...

    @property
    def url(self) -> str:
        """The page on which one is a person of the platform."""
        ...

    @property
    def environment(self) -> Mapping[str, str]:
        """What the adapter must be told to connect to it; known once it has started."""
        ...

    async def start(self, host: str, port: int) -> None:
        """Listen, with some people and rooms to begin with. Raises `StartError`."""
        ...

    async def stop(self) -> None: ...
