"""An answer that the provider stopped for safety does nothing, and says so (seat C5)."""

from __future__ import annotations

from collections.abc import Iterable

from agent import texts
from agent.hook import Hook
from agent.said import Said
from agent.turn import Turn
from bot.errors import SettingsError
from bot.seat import Decider, Seat, decided

SEATS = (
    Seat(
        id="C5",
        title="Safety stop",
        who=Decider.CODE,
        rule=(
            "When the provider filtered or refused, and there are calls or no text: the calls are removed and an "
            "explanation is added; stop reason safety_capped. Part of a text without calls stays as it is"
        ),
    ),
)

CAPPED = "safety_capped"
# https://ai.google.dev/api/generate-content#FinishReason
_BY_GOOGLE = ("safety", "blocklist", "prohibited_content", "spii", "recitation")
WORDS = ("content_filter", "refusal", *_BY_GOOGLE, *(f"image_{word}" for word in _BY_GOOGLE))


class SafetyStop(Hook):
    """Removes the calls of an answer that was stopped."""

    name = "safety_stop"
    seats = SEATS
    after = ("length_cut",)

    def __init__(self, words: Iterable[str] = WORDS) -> None:
        self._words = frozenset(word.lower() for word in words)
        if not self._words:
            raise SettingsError("the safety stop needs at least one word to go by")

    async def after_model(self, turn: Turn, said: Said) -> Said:
        if said.finish.strip().lower() not in self._words or (not said.calls and not said.blank):
            return said
        # Names only: the arguments may be what the provider objected to.
        calls = ", ".join(f"{call.name} ({call.id})" for call in said.calls) or "no text"
        decided("C5", outcome="stopped", because=f"{said.finish}: {calls}")
        return said.without_calls(notice=texts.FILTERED, stop_reason=CAPPED)


HOOK = SafetyStop()
