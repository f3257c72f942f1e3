"""Loop: ask the model and do what it asks for, until it answers."""

from __future__ import annotations

from typing import assert_never

from agent import limits
from agent.acting import act, resume
from agent.asking import ask
from agent.crew import Crew
from agent.decide import Answered, GiveUp, RunTools, decide
from agent.ending import End, answered, gave_up, stopped
from agent.turn import Turn


async def loop(turn: Turn, crew: Crew) -> End:
    """Go on until the model has answered, a limit is met, or somebody stops it."""
    await resume(turn, crew)
    while not turn.live.cancelled:
        said = await ask(turn, crew)
        if isinstance(said, End):
            return said
        match decide(said, step=turn.step, most=turn.plan.steps):
            case RunTools():
                await act(turn, crew, said)
            case Answered():
                return answered(said)
            case GiveUp(steps=steps):
                limits.exceeded(steps)
                return gave_up(said, steps)
            case other:
                assert_never(other)
    return stopped("")
