"""Nobody is answered with nothing after work was done (seat C3)."""

from __future__ import annotations

from dataclasses import replace

from agent import texts
from agent.hook import Hook
from agent.said import Said
from agent.turn import Turn
from bot.seat import Decider, Seat, decided

SEATS = (
    Seat(
        id="C3",
        title="Empty answer",
        who=Decider.CODE,
        rule=(
            "An answer without a word and without a call is asked for again once a run; if it stays empty after a "
            "tool was used, an apology stands in its place and the run is an error"
        ),
    ),
)


class EmptyReply(Hook):
    """Puts an apology in the place of an empty answer."""

    name = "empty_reply"
    seats = SEATS
    after = ("one_system",)

    async def after_model(self, turn: Turn, said: Said) -> Said:
        if said.calls or not said.blank:
            return said
        if not turn.thread.used_tools:
            decided("C3", outcome="left", because="the answer is empty, and no tool was used")
            return said
        decided("C3", outcome="apology", because="the answer is empty after a tool was used")
        return replace(said, text=texts.NO_ANSWER_AFTER_TOOLS, error_fallback=True)


HOOK = EmptyReply()
