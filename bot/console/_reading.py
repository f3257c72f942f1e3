"""The settings, as sub-commands read them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.adapter import Adapter
from bot.console._catalogue import platforms
from bot.console._ollama import offers
from bot.settings import Settings
from bot.settings_reader import read_settings
from bot.subcommand import Summons


def settings_of(summons: Summons, adapters: Mapping[str, Adapter] | None = None) -> Settings:
    """Read the settings that a sub-command was called with; raises `SettingsError`."""
    return read_settings(
        platforms() if adapters is None else adapters,
        folder=summons.folder,
        environment=summons.environment,
        ollama=offers,
    )


def turned_on(settings: Settings, adapters: Mapping[str, Adapter]) -> Mapping[str, Adapter]:
    """Return the adapters that the settings turn on."""
    return {name: adapters[name] for name in settings.adapters}
