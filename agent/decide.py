"""Decide: what follows an answer. Pure: the whole policy of the loop is here."""

from __future__ import annotations

from dataclasses import dataclass

from agent.model import Call
from agent.said import Said


@dataclass(frozen=True, kw_only=True, slots=True)
class RunTools:
    """Do what the model asks for, then ask it again."""

    calls: tuple[Call, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """The run has its answer."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GiveUp:
    """The run ends without an answer of the model."""

    steps: int


Next = RunTools | Answered | GiveUp


def decide(said: Said, *, step: int, most: int) -> Next:
    """Say what follows the answer of a step; the first step is 1."""
    if not said.calls:
        return Answered(text=said.text)
    if step >= most:
        return GiveUp(steps=most)
    return RunTools(calls=said.calls)
