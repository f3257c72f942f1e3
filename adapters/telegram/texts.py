"""What this platform's rooms are told by the adapter itself."""

from __future__ import annotations

from datetime import datetime

PLACEHOLDER = "…"
"""The first visible message of a run, before there is an answer."""
EMPTY = "There is nothing to show in this answer."
CHOOSE = "Please choose:"
GROWING = "…"
"""Ends a preview that is cut short."""


def typed(label: str, word: str) -> str:
    """Tell what to type instead of a button that does not fit."""
    return f"{label}: type {word}"


def open_until(deadline: datetime) -> str:
    return f"Open until {deadline:%Y-%m-%d %H:%M} UTC"


TOKEN_REJECTED = "telegram does not accept TELEGRAM_TOKEN; copy the bot's token from @BotFather again, then restart"
CONFLICT = (
    "another process receives this bot's messages, or somebody set a webhook; "
    "stop the other one, or give this one a bot of its own"
)
NO_WEB_SERVER = "webhook_url is set, but there is no web server; remove webhook_url from [adapters.telegram]"
BAD_SECRET = (
    "webhook_url needs TELEGRAM_WEBHOOK_SECRET: 1 to 256 letters, digits, _ or -; "
    "set it, or remove webhook_url from [adapters.telegram]"
)


def poll_seconds(most: int) -> str:
    return f"poll_seconds in [adapters.telegram] must be from 1 to {most}"


def unreachable(because: str) -> str:
    return f"{because}; check the network, and TELEGRAM_API_URL if it is set"


def no_bot_api(url: str) -> str:
    return f"{url or 'the official address'} does not answer like a Bot API; correct or remove TELEGRAM_API_URL"


def not_registered(method: str, because: str) -> str:
    return f"{method} failed: {because}; check webhook_url in [adapters.telegram] and the network"


CHECK_SIGN_IN = "the bot can sign in"
CHECK_GROUPS = "the bot may be added to groups"
FIX_GROUPS = "allow groups: @BotFather, /setjoingroups"
HEARS_ALL = "in groups the bot sees every message"
HEARS_SOME = (
    "in groups the bot sees commands, mentions and replies to it; "
    "for every message turn privacy off (@BotFather, /setprivacy) and add it to the group again"
)
CHECK_POLLING = "messages come by polling"
FIX_WEBHOOK = "start the bot: it sets the webhook itself"


def signed_in(username: str) -> str:
    return f"the token belongs to @{username}"


def fix_polling(url: str) -> str:
    return f"a webhook is set to {url}; starting the bot removes it" if url else ""


def check_webhook(url: str) -> str:
    return f"messages come by webhook to {url}"


def fix_webhook(error: str) -> str:
    return f"the platform could not deliver there: {error}"
