"""Crew: who works on a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.call import Caller
from agent.hook import Hook
from agent.record import Recorder
from agent.toolbox import Toolbox


@dataclass(frozen=True, kw_only=True, slots=True)
class Crew:
    """The parts that a run is carried by."""

    caller: Caller
    toolbox: Toolbox
    hooks: Sequence[Hook]
    """From the outside in."""
    recorder: Recorder
