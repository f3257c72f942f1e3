"""Builders for gates and commands: valid by default, one change at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import commands
from bot.command import Found, Invocation
from bot.desk import CommandFacts, ModelFacts, ThreadFacts, UsageLine
from bot.events import Author, Event, Kind, Room
from bot.people import Person, Role, Standing
from bot.replies import Part
from bot.rules import Rules
from bot.settings import Access, Limits
from commands.router import find

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
REGISTRY = commands.found()
US = frozenset({"opsbot", "u1"})


def say(text: str) -> tuple[Part, ...]:
    """Render a text as the paper it is written on."""
    return (Part(body={"text": text}),)


def find_command(text: str) -> Found | None:
    return find(text, REGISTRY, us=US)


def spoken(parts: Sequence[Part]) -> str:
    """Return what parts made by `say` say."""
    return "\n".join(part.body["text"] for part in parts)


def some_rules(*, access: Access | None = None, limits: Limits | None = None, **changes: Any) -> Rules:
    rules = Rules(
        access=access or Access(),
        limits=limits or Limits(),
        say=say,
        find_command=find_command,
        commands=REGISTRY,
        account="u1",
        now=NOON,
    )
    return replace(rules, **changes)


def a_message(text: str = "hello", **changes: Any) -> Event:
    """A message in a group that nobody addressed to us."""
    event = Event(
        id="paper:1",
        kind=Kind.MESSAGE,
        room=Room(platform="paper", workspace="u1", chat="c1"),
        author=Author(id="ann", name="Ann"),
        received_at=NOON,
        message_id="m1",
        text=text,
    )
    return replace(event, **changes)


def a_person(role: Role = Role.MEMBER) -> Person:
    return Person(id=7, name="Ann", role=role)


def known(role: Role = Role.MEMBER, **changes: Any) -> Standing:
    return replace(Standing(person=a_person(role)), **changes)


STRANGER = Standing()

SMALL = ModelFacts(name="small", title="Small One", vision=False, tools=True, context_tokens=8_000)
LARGE = ModelFacts(name="Large-2", title="", vision=True, tools=True, context_tokens=1_000_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question for usage."""

    since: datetime
    person_id: int | None
    room_key: str | None


class PaperDesk:
    """A desk with its answers written down beforehand."""

    def __init__(
        self,
        *,
        profiles: Sequence[ModelFacts] = (SMALL, LARGE),
        lines: Sequence[UsageLine] = (),
        error: Exception | None = None,
        **facts: Any,
    ) -> None:
        idle = ThreadFacts(thread_id=12, running=False, running_since=None, queued=0, items=0, model_pin="")
        self._facts = replace(idle, **facts)
        self._profiles = profiles
        self._lines = lines
        self._error = error
        self.asked: list[Asked] = []

    async def thread(self, thread_id: int) -> ThreadFacts:
        if self._error is not None:
            raise self._error
        return replace(self._facts, thread_id=thread_id)

    async def usage(
        self, *, since: datetime, person_id: int | None = None, room_key: str | None = None
    ) -> Sequence[UsageLine]:
        self.asked.append(Asked(since=since, person_id=person_id, room_key=room_key))
        return self._lines

    def models(self) -> Sequence[ModelFacts]:
        return self._profiles

    def commands(self) -> Sequence[CommandFacts]:
        return [
            CommandFacts(name=command.name, summary=command.summary, usage=command.usage, role=command.role)
            for _, command in sorted(REGISTRY.items())
        ]

    def now(self) -> datetime:
        return NOON


def invoked(name: str, desk: PaperDesk, *, argument: str = "", role: Role = Role.MEMBER) -> Invocation:
    return Invocation(
        name=name,
        argument=argument,
        person=a_person(role),
        thread_id=12,
        room_key="paper/u1/c1/",
        direct=False,
        desk=desk,
    )


class StoppedClock:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds
