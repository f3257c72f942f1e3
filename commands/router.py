"""Router: find the control word that a text begins with. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection

from bot.command import Found
from bot.seat import Decider, Seat, decided
from bot.typography import plain

SEATS = (
    Seat(
        id="A9",
        title="Command detection",
        who=Decider.CODE,
        rule=(
            "`/name` or `!name` at the very start, after mentions of the bot, is a control word when the name is "
            "known in any case and no other bot is named behind it; everything else is chat."
        ),
    ),
)

PREFIXES = ("/", "!")

_MENTION = re.compile(r"(?:<@[!&]?([^\s>|]+)(?:\|[^>]*)?>|@([^\s@,:]+))[,:]?\s+")
_WORD = re.compile(r"([a-z][a-z0-9_-]*)(?:@(\S+))?(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)


def find(
    text: str,
    names: Collection[str],
    *,
    us: Collection[str] | None = None,
    prefixes: Collection[str] = PREFIXES,
) -> Found | None:
    """Return the control word that the text begins with, None when it is chat.

    `us` are our names and ids at the platform, folded. None where the adapter takes our mention out of texts and
    marks what is for other bots; then whoever a command names is us.
    """
    if not text or (text[0] in _LETTERS):
        return None
    words = _behind_mentions(plain(text), us or ())
    if not words or words[0] not in prefixes:
        return None
    match = _WORD.fullmatch(words, 1)
    if match is None:
        return None
    name, addressee = match[1].casefold(), match[2]
    if name not in names:
        decided("A9", outcome="chat", because="no such command")
        return None
    if addressee is not None and us is not None and addressee.casefold() not in us:
        decided("A9", outcome="chat", because="said to another bot")
        return None
    decided("A9", outcome=f"/{name}", because="a known name at the start")
    return Found(name=name, argument=(match[3] or "").strip(), prefix=words[0])


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""How almost every text begins that is no command: decided without looking further."""


def _behind_mentions(text: str, us: Collection[str]) -> str:
    while us and (match := _MENTION.match(text)) is not None:
        if (match[1] or match[2]).casefold() not in us:
            return text
        text = text[match.end() :]
    return text
