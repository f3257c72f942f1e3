"""Settings of this platform, from the environment and `[adapters.telegram]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from adapters.telegram import texts
from bot.adapter import Toolkit
from bot.errors import StartError

TOKEN = "TELEGRAM_TOKEN"
API_URL = "TELEGRAM_API_URL"
WEBHOOK_SECRET = "TELEGRAM_WEBHOOK_SECRET"

ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        TOKEN: "The bot's token, as @BotFather shows it.",
        API_URL: "Where the Bot API answers; empty: the official servers.",
        WEBHOOK_SECRET: "Any secret of letters, digits, _ and -; needed only with webhook_url.",
    }
)
OPTIONS: Mapping[str, Any] = MappingProxyType(
    {
        # Our public https address; with it the platform calls us, else we ask it.
        "webhook_url": "",
        "link_previews": False,
        "poll_seconds": 30,
    }
)
MOST_POLL_SECONDS = 50

# https://core.telegram.org/bots/api#setwebhook
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramSettings:
    """What the operator decided."""

    token: str
    api_url: str
    """Empty: the official servers."""
    webhook_url: str
    """Empty: polling."""
    webhook_secret: str
    link_previews: bool
    poll_seconds: int


def read_settings(toolkit: Toolkit) -> TelegramSettings:
    """Return the settings. Raises `StartError` for those that cannot work."""
    options = {**OPTIONS, **toolkit.options}
    settings = TelegramSettings(
        token=toolkit.environment.get(TOKEN, ""),
        api_url=toolkit.environment.get(API_URL, ""),
        webhook_url=str(options["webhook_url"]),
        webhook_secret=toolkit.environment.get(WEBHOOK_SECRET, ""),
        link_previews=bool(options["link_previews"]),
        poll_seconds=int(options["poll_seconds"]),
    )
    if not 0 < settings.poll_seconds <= MOST_POLL_SECONDS:
        raise StartError(texts.poll_seconds(MOST_POLL_SECONDS))
    if settings.webhook_url and not _SECRET.fullmatch(settings.webhook_secret):
        raise StartError(texts.BAD_SECRET)
    return settings
