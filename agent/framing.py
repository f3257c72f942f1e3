"""Framing: how what people said, and what they are called, stands before the model. Pure.

Names and titles are chosen by whoever wants to be mistaken for somebody else. They are put on one line of bounded
length, in brackets that they cannot close; text cannot begin a line as if another person spoke.
"""

from __future__ import annotations

import re

from agent import texts
from agent.items import UserItem
from bot.wording import one_line

QUOTED_CHARACTERS = 300
TITLE_CHARACTERS = 100

_BRACKETS = str.maketrans("[]", "()")
_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_LIKE_A_SENDER = re.compile(rf"(?<=[{_LINE_ENDS}])(?=\[)|^(?=\[)")


def user_text(item: UserItem) -> str:
    """Return a person's message as the model reads it."""
    who = sender(item.author) if item.shared and item.author.strip() else ""
    body = _LIKE_A_SENDER.sub(" ", item.text) if item.text.strip() else ""
    tail = [f"(file: {path})" for path in item.files] + [f"({note})" for note in item.notes]
    if not body and not tail:
        body = texts.NO_TEXT
    if item.quoted_text.strip():
        body = "\n".join(filter(None, (_quoted(item), body)))
    first = " ".join(filter(None, (who, body)))
    return "\n".join(filter(None, (first, *tail)))


def sender(name: str) -> str:
    """Return who speaks, as it stands before their words."""
    return f"[{plain_name(name)}]"


def plain_name(name: str) -> str:
    """Return a name that can neither leave its line nor its brackets."""
    return one_line(name.translate(_BRACKETS))


def title(text: str) -> str:
    """Return what a room is called, as one line in quotes that it cannot close."""
    return "“" + one_line(text, most=TITLE_CHARACTERS).replace("“", "'").replace("”", "'") + "”"


def _quoted(item: UserItem) -> str:
    words = one_line(item.quoted_text, most=QUOTED_CHARACTERS).translate(_BRACKETS)
    whom = f" to {plain_name(item.quoted_author)}" if item.quoted_author.strip() else ""
    return f"(in reply{whom}: {words})"
