"""Refusals: the answers of the Bot API that are not `ok`, with their real descriptions.

https://core.telegram.org/bots/api#making-requests describes their form; the sentences are those that the hosted
server sends, because clients tell refusals apart by them.
"""

from __future__ import annotations

import math
from typing import Any


class Refusal(Exception):
    """One refusal, as it is answered."""

    def __init__(self, code: int, description: str, *, parameters: dict[str, Any] | None = None) -> None:
        self.code = code
        self.description = description
        self.parameters = parameters
        super().__init__(description)

    @property
    def body(self) -> dict[str, Any]:
        """The JSON of the answer."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters is not None:
            body["parameters"] = self.parameters
        return body


def bad(sentence: str) -> Refusal:
    return Refusal(400, f"Bad Request: {sentence}")


def unparsable(sentence: str) -> Refusal:
    return bad(f"can't parse entities: {sentence}")


def forbidden(sentence: str) -> Refusal:
    return Refusal(403, f"Forbidden: {sentence}")


def too_many(seconds: float) -> Refusal:
    """https://core.telegram.org/bots/api#responseparameters"""
    wait = max(1, math.ceil(seconds))
    return Refusal(429, f"Too Many Requests: retry after {wait}", parameters={"retry_after": wait})


def migrated(chat_id: int) -> Refusal:
    return Refusal(
        400,
        "Bad Request: group chat was upgraded to a supergroup chat",
        parameters={"migrate_to_chat_id": chat_id},
    )


def too_large() -> Refusal:
    return Refusal(413, "Request Entity Too Large")


def unauthorized() -> Refusal:
    return Refusal(401, "Unauthorized")


def unknown_method() -> Refusal:
    return Refusal(404, "Not Found: method not found")


def other_poller() -> Refusal:
    return Refusal(
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    )


def webhook_is_set() -> Refusal:
    return Refusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    )
