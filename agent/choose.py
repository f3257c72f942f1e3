"""Which model a run is asked with (seat A1)."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from agent.model_texts import UNKNOWN_MODEL
from bot.errors import NotAllowed, SettingsError
from bot.seat import Decider, Seat, decided
from bot.settings import Profile

SEATS = (
    Seat(
        id="A1",
        title="Run model choice",
        who=Decider.CODE,
        rule=(
            "The first that is named: the request's model name, its model, the agent's own, the first profile; an "
            "unknown name falls back to the first profile unless it was chosen explicitly"
        ),
        setting="agents.NAME.model",
    ),
)

_log = structlog.get_logger(__name__)


class UnknownModel(NotAllowed):
    """A model was chosen explicitly that no profile has."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(UNKNOWN_MODEL.format(name=name))


def choose(
    profiles: Sequence[Profile], *, model_name: str = "", model: str = "", agent_model: str = "", explicit: bool = False
) -> Profile:
    """Return the profile for a run; a pin of the thread (seat A8) is its `model_name`.

    Raises `UnknownModel` for an unknown name that was chosen explicitly, `SettingsError` when there are no profiles.
    """
    if not profiles:
        raise SettingsError("no model is configured: set DECKHAND_MODEL, or add [[models]] to bot.toml")
    by_name = {profile.name: profile for profile in profiles}
    sources = (("the request's model name", model_name), ("the request's model", model), ("the agent", agent_model))
    source, name = next(((source, name.strip()) for source, name in sources if name.strip()), ("", ""))
    if not name:
        decided("A1", outcome=profiles[0].name, because="nobody named one: the first profile")
        return profiles[0]
    if name in by_name:
        decided("A1", outcome=name, because=f"named by {source}")
        return by_name[name]
    if explicit:
        decided("A1", outcome="refused", because=f"{name!r}, named by {source}, is unknown and was chosen explicitly")
        raise UnknownModel(name)
    decided("A1", outcome=profiles[0].name, because=f"{name!r}, named by {source}, is unknown: the first profile")
    _log.warning("model_unknown", name=name, source=source, used=profiles[0].name)
    return profiles[0]
