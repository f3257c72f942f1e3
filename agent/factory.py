"""From a profile to a model (seat A3, mechanism K9): every model of the process is built here."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent import models
from agent.model import Model
from agent.provider import Provider, Supplies
from bot.clock import Clock
from bot.errors import SettingsError
from bot.registry import discover
from bot.seat import Decider, Seat, decided
from bot.settings import Limits, Profile

SEATS = (
    Seat(
        id="A3",
        title="Model construction",
        who=Decider.CODE,
        rule=(
            "The provider's family builds the model from the profile; the agent's temperature and token limit lie over "
            "the profile's, then the template for thinking on or off; a silence of limits.model_gap_seconds ends a call"
        ),
        setting="models",
    ),
)

_FALLBACK = "litellm"
"""The family of every provider that has no file of its own."""


class Models:
    """The models of the process, each built when it is first needed."""

    def __init__(self, profiles: Sequence[Profile], keys: Mapping[str, str], limits: Limits, clock: Clock) -> None:
        self._profiles = {profile.name: _plain(profile) for profile in profiles}
        self._keys = keys
        self._limits = limits
        self._clock = clock
        self._providers: dict[str, Provider] = discover(models, "MODEL", Provider)
        self._built: dict[str, Model] = {}

    def get(self, name: str) -> Model:
        """Return the model of a profile; raises `SettingsError` where there is none, or where it cannot work."""
        if name not in self._built:
            self._built[name] = self._build(name)
        return self._built[name]

    def check(self) -> None:
        """Build every model, so that a wrong profile is told at the start; raises `SettingsError`."""
        for name in self._profiles:
            self.get(name)

    async def close(self) -> None:
        built, self._built = self._built, {}
        await asyncio.gather(*(model.close() for model in built.values()))

    def _build(self, name: str) -> Model:
        profile = self._profiles.get(name)
        if profile is None:
            known = ", ".join(self._profiles) or "none"
            raise SettingsError(f"there is no model {name!r} in [[models]]; known: {known}")
        _check_template(profile)
        family = profile.provider if profile.provider in self._providers else _FALLBACK
        supplies = Supplies(clock=self._clock, key=self._key(profile), gap_seconds=self._limits.model_gap_seconds)
        model = self._providers[family].build(profile, supplies)
        decided("A3", outcome=f"{family}: {profile.model}", because=f"profile {name!r} names {profile.provider!r}")
        return model

    def _key(self, profile: Profile) -> str:
        if profile.key_variable:
            key = self._keys.get(profile.key_variable, "")
            if not key:
                raise SettingsError(f"model {profile.name!r} needs {profile.key_variable}, which is not set")
            return key
        # An address of the profile's own must not be sent a key that was meant for the provider.
        return "" if profile.base_url else self._keys.get(f"{profile.provider.upper()}_API_KEY", "")


def _plain(profile: Profile) -> Profile:
    """Return the profile with its address in the one place where we look for it."""
    if profile.base_url or "api_base" not in profile.extra:
        return profile
    extra: dict[str, Any] = {name: value for name, value in profile.extra.items() if name != "api_base"}
    return replace(profile, base_url=str(profile.extra["api_base"]), extra=extra)


def _check_template(profile: Profile) -> None:
    contract = profile.thinking
    if contract.support == "none" and (contract.when_enabled or contract.when_disabled):
        raise SettingsError(
            f"model {profile.name!r} has a template for thinking but does not support it: "
            'set support = "optional" in [models.thinking]'
        )
