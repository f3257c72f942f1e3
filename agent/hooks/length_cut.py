"""An answer that the provider cut off does nothing, and says so (seat C4)."""

from __future__ import annotations

from dataclasses import replace

from agent import texts
from agent.hook import Hook
from agent.said import Said
from agent.turn import Turn
from bot.seat import Decider, Seat, decided

SEATS = (
    Seat(
        id="C4",
        title="Answer cut off",
        who=Decider.CODE,
        rule=(
            "When the provider ended the answer at its limit, its calls are removed, and a notice is added if there "
            "were any or no text is left; stop reason model_length_capped"
        ),
    ),
)

CAPPED = "model_length_capped"
_WORDS = frozenset({"length", "max_tokens", "max_output_tokens"})


class LengthCut(Hook):
    """Removes calls that may be half of what was meant."""

    name = "length_cut"
    seats = SEATS
    after = ("empty_reply",)

    async def after_model(self, turn: Turn, said: Said) -> Said:
        if said.finish.strip().lower() not in _WORDS:
            return said
        if said.calls:
            names = ", ".join(call.name for call in said.calls)
            decided("C4", outcome="calls removed", because=f"the answer was cut off: {names}")
            return said.without_calls(notice=texts.CALLS_CUT, stop_reason=CAPPED)
        decided("C4", outcome="marked", because="the answer was cut off")
        if said.blank:
            return said.without_calls(notice=texts.CUT_SHORT, stop_reason=CAPPED)
        return replace(said, stop_reason=said.stop_reason or CAPPED)


HOOK = LengthCut()
