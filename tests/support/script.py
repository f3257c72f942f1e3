"""Script: 200 messages for the crash suite, cut into pieces that each try one thing the path does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.command import Lane
from bot.events import Event, Kind
from bot.people import Standing
from bot.replies import Part
from bot.work import Accept, Amend, Answer, Verdict
from tests.support.world import an_event

ALBUM_SECONDS = 0.02
ROOMS = 20
MESSAGES = 200

TOKEN = re.compile(r"\[[^\]]+\]")
"""What makes a message recognisable in its answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """Some messages of one room; each batch is one call of `deliver`, sent when the one before was acknowledged."""

    kind: str
    chat: str
    batches: tuple[tuple[Event, ...], ...]

    @property
    def events(self) -> list[Event]:
        return [event for batch in self.batches for event in batch]

    @property
    def tokens(self) -> list[str]:
        """What must stand in exactly one answer each, in the order in which it was said."""
        return list(dict.fromkeys(token for event in self.events for token in TOKEN.findall(event.text)))

    @property
    def beside(self) -> set[str]:
        """Tokens of control words and gates: they answer beside the runs."""
        return {
            token
            for event in self.events
            if is_control(event.text) or event.author.id == "stranger"
            for token in TOKEN.findall(event.text)
        }


def is_control(text: str) -> bool:
    return text.startswith(("/stop", "/status"))


def judge(event: Event, standing: Standing) -> Verdict:
    """The gates of the script."""
    word = event.text.split(" ")[0]
    if event.kind is Kind.EDIT:
        return Amend(text=event.text)
    if event.author.id == "stranger":
        return Answer(parts=(Part(body={"text": f"who are you? {event.text}"}),), because="unknown")
    if is_control(event.text):
        return Accept(lane=Lane.CONTROL, command=word[1:])
    if word == "/new":
        return Accept(command="new")
    if event.group:
        return Accept(not_before=datetime.now(UTC) + timedelta(seconds=ALBUM_SECONDS))
    return Accept()


class _Pen:
    """Writes the messages of one piece."""

    def __init__(self, chat: str, name: str) -> None:
        self._chat = chat
        self.name = name
        self._count = 0

    def says(self, text: str, author: str = "ann", group: str = "") -> Event:
        self._count += 1
        number = f"{self.name}.{self._count}"
        return an_event(f"{text} [{number}]", id=number, chat=self._chat, author=author, group=group)

    def edits(self, event: Event, text: str) -> Event:
        token = TOKEN.findall(event.text)[0]
        return replace(event, id=f"{event.id}:edit", kind=Kind.EDIT, text=f"{text} {token}")


Batches = tuple[tuple[Event, ...], ...]


def _plain(pen: _Pen) -> Batches:
    return ((pen.says("hello"),),)


def _tools(pen: _Pen) -> Batches:
    return ((pen.says("tools"),),)


def _deed(pen: _Pen) -> Batches:
    return ((pen.says("deed"),),)


def _long(pen: _Pen) -> Batches:
    return ((pen.says("long"),),)


def _followups(pen: _Pen) -> Batches:
    return ((pen.says("tools"),), (pen.says("and"), pen.says("also")), (pen.says("besides"),))


def _two_people(pen: _Pen) -> Batches:
    return ((pen.says("tools"),), (pen.says("mine", "bob"), pen.says("again")))


def _status(pen: _Pen) -> Batches:
    return ((pen.says("tools"),), (pen.says("/status"),))


def _stop(pen: _Pen) -> Batches:
    return ((pen.says("endless"),), (pen.says("/stop"),))


def _album(pen: _Pen) -> Batches:
    first, second, third = (pen.says("picture", group=f"album {pen.name}") for _ in range(3))
    return ((first,), (second, third), (pen.says("what"),))


def _edit(pen: _Pen) -> Batches:
    waits = pen.says("worng", "bob")
    return ((pen.says("tools"), waits), (pen.edits(waits, "wrong"),), (pen.says("thanks"),))


def _new(pen: _Pen) -> Batches:
    return ((pen.says("before"), pen.says("/new"), pen.says("behind")),)


def _redelivered(pen: _Pen) -> Batches:
    event = pen.says("hello")
    return ((event,), (event, event))


def _stranger(pen: _Pen) -> Batches:
    return ((pen.says("hello", "stranger"),),)


KINDS: dict[str, Callable[[_Pen], Batches]] = {
    "plain": _plain,
    "tools": _tools,
    "deed": _deed,
    "long": _long,
    "followups": _followups,
    "two_people": _two_people,
    "status": _status,
    "stop": _stop,
    "album": _album,
    "edit": _edit,
    "new": _new,
    "redelivered": _redelivered,
    "stranger": _stranger,
}


def piece(kind: str, name: str, chat: str) -> Piece:
    """Return a piece of a kind; `name` makes its messages unique."""
    return Piece(kind=kind, chat=chat, batches=KINDS[kind](_Pen(chat, name)))


def script(tag: str) -> list[Piece]:
    """Return the whole script: 20 rooms, about ten messages each."""
    return list(_pieces(tag))


def _pieces(tag: str) -> Iterator[Piece]:
    kinds = list(KINDS)
    turn = 0
    for number in range(ROOMS):
        left = MESSAGES // ROOMS
        while left > 0:
            made = piece(kinds[turn % len(kinds)], f"{tag}{number}-{turn}", f"{tag}{number}")
            turn += 1
            left -= len(made.events)
            yield made
