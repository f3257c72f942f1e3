"""Ending: what a run comes to. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from agent import texts
from agent.limits import TURN_CAPPED
from agent.model import ProviderError
from agent.said import Said


@dataclass(frozen=True, kw_only=True, slots=True)
class End:
    """The last words of a run."""

    text: str
    """As the thread keeps them; may be empty."""
    error_fallback: bool = False
    stop_reason: str = ""
    error: str = ""
    """For the operator."""
    cancelled: bool = False


def answered(said: Said) -> End:
    """End with what the model said."""
    error = "no answer" if said.error_fallback else ""
    return End(text=said.text, error_fallback=said.error_fallback, stop_reason=said.stop_reason, error=error)


def gave_up(said: Said, steps: int) -> End:
    """End at the step limit, in words that hide nothing."""
    text = "\n\n".join(filter(None, (said.text.strip(), texts.step_limit(steps))))
    return End(text=text, error_fallback=True, stop_reason=TURN_CAPPED, error=f"no answer within {steps} steps")


def failed(error: ProviderError) -> End:
    """End with the sentence of a final failure."""
    facts = (error.kind, "" if error.status is None else str(error.status), error.code)
    return End(text=str(error), error_fallback=True, error=" ".join(filter(None, facts)))


def refused(sentence: str, *, error: str) -> End:
    """End without asking a model."""
    return End(text=sentence, error_fallback=True, error=error)


def stopped(shown: str) -> End:
    """End where somebody stopped it, keeping what was shown."""
    return End(text="\n\n".join(filter(None, (shown.rstrip(), texts.STOPPED))), cancelled=True)
