"""People who exist in simulators only."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """Somebody to speak as."""

    id: int
    name: str
    handle: str = ""
    """What others mention them by; empty: they have none."""


class People:
    """Everybody of one simulator, by name. Ids are the same in every run."""

    def __init__(self, *, first_id: int) -> None:
        self._next_id = first_id
        self._by_name: dict[str, Person] = {}

    def person(self, name: str, *, handle: str | None = None) -> Person:
        """Return the person of this name; the first call makes them."""
        found = self._by_name.get(name)
        if found is None:
            made = _handle(name) if handle is None else handle
            found = Person(id=self._next_id, name=name, handle=made)
            self._next_id += 1
            self._by_name[name] = found
        return found

    def by_id(self, person_id: int) -> Person | None:
        return next((person for person in self._by_name.values() if person.id == person_id), None)

    def by_handle(self, handle: str) -> Person | None:
        wanted = handle.lower()
        return next((person for person in self._by_name.values() if person.handle.lower() == wanted), None)

    @property
    def all(self) -> tuple[Person, ...]:
        return tuple(self._by_name.values())


def _handle(name: str) -> str:
    """Return a handle for a name, empty where no letter of it can stand in one."""
    word = re.sub(r"[^a-z0-9_]", "", name.lower().replace(" ", "_"))
    return word if word[:1].isalpha() else ""
