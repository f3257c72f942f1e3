"""Whether a model thinks, and how hard (seat A2). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from agent.models._thinking import LEGACY_EFFORTS
from bot.errors import NotAllowed
from bot.seat import Decider, Seat, decided
from bot.settings import Thinking

SEATS = (
    Seat(
        id="A2",
        title="Thinking and effort",
        who=Decider.CODE,
        rule=(
            "The request before the agent before the default (thinking on, no effort); then what the model's contract "
            "allows, each change recorded"
        ),
        setting="models.thinking",
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What somebody asks for; None means that they do not say. `False` and "" are said."""

    thinking: bool | None = None
    effort: object = None
    """Anything: requests come from outside."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    """What the model is asked with."""

    thinking: bool
    effort: str
    """Empty: the request names none."""
    adjustments: tuple[str, ...] = ()
    """What differs from the wish, in the order in which it was changed."""


class ThinkingRequired(NotAllowed):
    """The model cannot answer without thinking, and its contract refuses to be asked so."""

    def __init__(self, model: str) -> None:
        self.model = model
        super().__init__(f"The model “{model}” always thinks; it cannot be asked without.")


def resolve(contract: Thinking, *, model: str, request: Wish, agent: Wish) -> Resolved:
    """Return the thinking and the effort of a run; raises `ThinkingRequired`."""
    thinking = _said(request.thinking, agent.thinking, default=True)
    effort = _said(request.effort, agent.effort, default="")
    on, change = _thinking(contract, wanted=bool(thinking), model=model)
    word, effort_change = _effort(contract, effort)
    adjustments = tuple(filter(None, (change, effort_change)))
    outcome = f"thinking {'on' if on else 'off'}, effort {word or 'of the provider'}"
    decided("A2", outcome=outcome, because=", ".join(adjustments) or "as asked")
    return Resolved(thinking=on, effort=word, adjustments=adjustments)


def _said(*wishes: object, default: object) -> object:
    return next((wish for wish in wishes if wish is not None), default)


def _thinking(contract: Thinking, *, wanted: bool, model: str) -> tuple[bool, str]:
    if contract.support == "none":
        return False, "thinking_unsupported" if wanted else ""
    if contract.support == "required" and not wanted:
        if contract.on_disable_request == "reject":
            decided("A2", outcome="refused", because=f"{model} cannot be asked without thinking")
            raise ThinkingRequired(model)
        return True, "thinking_forced_on"
    return wanted, ""


def _effort(contract: Thinking, wanted: object) -> tuple[str, str]:
    if wanted == "":
        return contract.default_effort, ""
    if not contract.efforts:
        return _legacy(contract, wanted)
    if not isinstance(wanted, str):
        return contract.default_effort, "effort_unsupported_value"
    if wanted in contract.efforts:
        return wanted, ""
    if wanted in contract.aliases:
        return contract.aliases[wanted], "effort_aliased"
    return contract.default_effort, "effort_unsupported_value"


def _legacy(contract: Thinking, wanted: object) -> tuple[str, str]:
    """Return the effort of a model that declares no words of its own."""
    if not contract.legacy_efforts:
        return "", "effort_unsupported"
    if isinstance(wanted, str) and wanted in LEGACY_EFFORTS:
        return wanted, ""
    return contract.default_effort, "effort_unsupported_value"
