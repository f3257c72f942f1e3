"""Turn: one run as it goes on. The loop writes it; hooks only read it."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent import window
from agent.call import Blanks
from agent.model import Model
from agent.ports import Live
from agent.thread import Thread
from agent.tool import ToolContext
from agent.window import Space


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What was settled before the first step, and holds to the last."""

    model: Model
    system: tuple[str, ...]
    """The parts of the system prompt; the last one tells the day."""
    thinking: bool
    effort: str
    temperature: float | None
    max_tokens: int | None
    steps: int
    """How many times the model may be asked."""
    fixed_tokens: int
    """What each request holds besides the conversation."""
    context: ToolContext


@dataclass(kw_only=True, slots=True)
class Turn:
    """What a run works with."""

    thread: Thread
    live: Live
    plan: Plan
    space: Space
    step: int
    """How many times the model was asked."""
    blanks: Blanks = field(default_factory=Blanks)
    shrunk: bool = False
    """A request was too long once, and was made smaller."""

    def shrink(self) -> None:
        """Make room for a second try of a request that was too long."""
        self.space = window.shrunk(self.thread.items, self.space, fixed=self.plan.fixed_tokens)
        self.shrunk = True
