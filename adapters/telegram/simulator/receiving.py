"""Receiving: the methods by which a bot gets its updates."""

from __future__ import annotations

import re
from typing import Any

from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.message import Json
from adapters.telegram.simulator.params import Params
from adapters.telegram.simulator.refusals import bad
from adapters.telegram.simulator.service import Raw, Service

# https://core.telegram.org/bots/api#setwebhook: "1-256 characters. Only characters A-Z, a-z, 0-9, _ and - are allowed"
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


async def get_updates(service: Service, bot: Bot, params: Params) -> Raw:
    """https://core.telegram.org/bots/api#getupdates"""
    bot.updates.allow(_kinds(params))
    updates = await bot.updates.poll(
        offset=params.integer("offset"), limit=params.integer("limit", 100), seconds=params.number("timeout")
    )
    body = b'{"ok":true,"result":[' + b",".join(update.raw for update in updates) + b"]}"
    return Raw(body=body, result=[update.body for update in updates])


def _kinds(params: Params) -> list[str] | None:
    given: Any = params.json("allowed_updates")
    return [str(kind) for kind in given] if isinstance(given, list) else None


def set_webhook(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#setwebhook"""
    url = params.text("url")
    secret = params.text("secret_token")
    # The hosted server wants HTTPS; here the bot is on this machine.
    if url and not re.match(r"https?://[^/\s]+", url):
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    if secret and not _SECRET.fullmatch(secret):
        raise bad("secret token contains unallowed characters")
    bot.updates.allow(_kinds(params))
    _point(service, bot, params, url, secret)
    return True


def delete_webhook(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#deletewebhook"""
    _point(service, bot, params, "", "")
    return True


def _point(service: Service, bot: Bot, params: Params, url: str, secret: str) -> None:
    if params.flag("drop_pending_updates"):
        bot.updates.drop_pending()
    bot.updates.webhook_url = url
    bot.secret = secret
    bot.webhook_error = ""
    service.webhooks.set(bot)


def get_webhook_info(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#getwebhookinfo"""
    info: Json = {
        "url": bot.updates.webhook_url,
        "has_custom_certificate": False,
        "pending_update_count": bot.updates.pending,
    }
    if bot.webhook_error:
        info["last_error_date"] = bot.webhook_error_at
        info["last_error_message"] = bot.webhook_error
    if bot.updates.webhook_url:
        info["max_connections"] = 40
    if bot.updates.allowed is not None:
        info["allowed_updates"] = sorted(bot.updates.allowed)
    return info
