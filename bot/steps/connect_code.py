"""A one-time code connects an account, and the first one makes the administrator.

It stands before the gate of strangers, because whoever shows a code is one.
"""

from __future__ import annotations

import re

from bot import texts
from bot.codes import hash_code, looks_like_one
from bot.events import Event, Kind
from bot.people import Standing
from bot.rules import Rules
from bot.step import Step
from bot.steps._addressed import addressed
from bot.typography import plain
from bot.work import Answer, Redeem, Verdict

_WORD = re.compile(r"\s*[/!](connect|start)(?:@\S+)?(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)
_KINDS = frozenset({Kind.MESSAGE, Kind.COMMAND})


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Redeem a code."""
    if event.kind not in _KINDS or event.author.is_bot or not addressed(event, standing):
        return None
    word = _WORD.fullmatch(plain(event.text)) if event.text.lstrip().startswith(("/", "!")) else None
    if word is None:
        bare = not standing.has_admin and event.direct and looks_like_one(event.text)
        return _redeem(event.text, event, standing, rules) if bare else None
    if word[2] and word[2].strip():
        return _redeem(word[2], event, standing, rules)
    return _without_code(word[1].lower(), standing, rules)


def _redeem(code: str, event: Event, standing: Standing, rules: Rules) -> Redeem:
    if standing.has_admin:
        welcome, refusal = texts.CONNECTED, texts.CODE_REFUSED
    else:
        welcome, refusal = texts.welcome(event.author.name), texts.NOT_THE_CODE
    return Redeem(code_hash=hash_code(code), welcome=rules.say(welcome), refusal=rules.say(refusal))


def _without_code(word: str, standing: Standing, rules: Rules) -> Verdict | None:
    if standing.person is None:
        # The gate of strangers knows what to say.
        return None
    text = texts.GREETING if word == "start" else texts.CODE_WANTED
    return Answer(parts=rules.say(text), because=f"/{word} without a code")


STEP = Step(name="connect_code", judge=judge, after=("for_another",))
