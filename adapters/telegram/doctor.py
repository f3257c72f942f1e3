"""Doctor: whether the token works, and what the bot may hear and do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from telegram.error import TelegramError

from adapters.telegram import texts
from adapters.telegram.api import Api
from adapters.telegram.connection import sign_in
from adapters.telegram.errors import translate
from adapters.telegram.settings import TelegramSettings, read_settings
from adapters.telegram.webhook import address
from bot.adapter import Check, Toolkit
from bot.errors import StartError


async def examine(toolkit: Toolkit) -> Sequence[Check]:
    """Check settings, token, rights and the way updates come in. Changes nothing at the platform."""
    try:
        settings = read_settings(toolkit)
        api = await sign_in(settings, toolkit.clock)
    except StartError as error:
        return (Check(ok=False, title=texts.CHECK_SIGN_IN, fix=str(error)),)
    try:
        me = await api.call("getMe")
        info = await api.call("getWebhookInfo")
    except TelegramError as error:
        return (Check(ok=False, title=texts.CHECK_SIGN_IN, fix=str(translate(error, repeatable=True))),)
    finally:
        await api.close()
    return (_name(api), _groups(me), _hearing(me), _way_in(settings, info))


def _name(api: Api) -> Check:
    return Check(ok=True, title=texts.signed_in(api.username))


def _groups(me: dict[str, Any]) -> Check:
    return Check(ok=bool(me.get("can_join_groups")), title=texts.CHECK_GROUPS, fix=texts.FIX_GROUPS)


def _hearing(me: dict[str, Any]) -> Check:
    # Not a fault: commands, mentions and replies arrive either way.
    return Check(ok=True, title=texts.HEARS_ALL if me.get("can_read_all_group_messages") else texts.HEARS_SOME)


def _way_in(settings: TelegramSettings, info: dict[str, Any]) -> Check:
    url, error = str(info.get("url") or ""), str(info.get("last_error_message") or "")
    if not settings.webhook_url:
        return Check(ok=not url, title=texts.CHECK_POLLING, fix=texts.fix_polling(url))
    wanted = address(settings.webhook_url)
    if url != wanted:
        return Check(ok=False, title=texts.check_webhook(wanted), fix=texts.FIX_WEBHOOK)
    return Check(ok=not error, title=texts.check_webhook(wanted), fix=texts.fix_webhook(error) if error else "")
