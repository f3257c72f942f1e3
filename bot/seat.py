"""Seats: the places where something is decided, and the record of each decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

from bot.errors import RegistrationError


class Decider(StrEnum):
    """Who decides."""

    CODE = "code"
    MODEL = "model"
    PERSON = "person"
    SERVICE = "service"


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """A place where something is decided."""

    id: str
    title: str
    who: Decider
    rule: str
    """In a sentence, as `deckhand seats` prints it."""
    setting: str = ""
    """The key of `bot.toml` that moves it, empty where none does."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What a seat decided, once."""

    seat: str
    outcome: str
    because: str


class Seats:
    """Every seat by its id."""

    def __init__(self, seats: Iterator[tuple[str, Seat]]) -> None:
        self._by_id: dict[str, Seat] = {}
        homes: dict[str, str] = {}
        for home, seat in seats:
            if seat.id in self._by_id:
                raise RegistrationError(f"{home} declares seat {seat.id}, which {homes[seat.id]} declares already")
            self._by_id[seat.id] = seat
            homes[seat.id] = home

    def __iter__(self) -> Iterator[Seat]:
        return iter(sorted(self._by_id.values(), key=lambda seat: (seat.id[0], int(seat.id[1:]))))

    def __contains__(self, seat_id: str) -> bool:
        return seat_id in self._by_id


Observer = Callable[[Decision], None]

_journal: ContextVar[list[Decision] | None] = ContextVar("journal", default=None)
_observers: list[Observer] = []


def observe(observer: Observer) -> Callable[[], None]:
    """Show the observer every decision of this process; return what ends that. Tests see by it which seats decide."""
    _observers.append(observer)
    return lambda: _observers.remove(observer)


def decided(seat: str, *, outcome: str, because: str) -> Decision:
    """Record what a seat decided in the journal that is open, and return it."""
    decision = Decision(seat=seat, outcome=outcome, because=because)
    journal = _journal.get()
    if journal is not None:
        journal.append(decision)
    for observer in _observers:
        observer(decision)
    return decision


@contextmanager
def journal() -> Iterator[list[Decision]]:
    """Collect the decisions taken inside, in order."""
    decisions: list[Decision] = []
    token = _journal.set(decisions)
    try:
        yield decisions
    finally:
        _journal.reset(token)
