"""Admission: the one-time code of the first administrator, and newcomers who bring a code to our page."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Protocol

from bot.clock import Clock
from bot.codes import hash_code
from bot.people import Person, Role

SIGN_IN_TIME = timedelta(minutes=10)


class People(Protocol):
    """What admission asks of storage."""

    async def needs_first_admin(self) -> bool:
        """Say whether nobody administers this installation yet."""
        ...

    async def valid_from_now(
        self, code_hash: str, role: Role, expires_at: datetime | None, *, for_admin: bool = False
    ) -> None:
        """Make a code valid; unused ones of the same role are so no more.

        With `for_admin` it signs the first administrator in, else it makes a new person.
        """
        ...

    async def newcomer(self, code_hash: str, platform: str, name: str, now: datetime) -> Person | None:
        """Use a code up for a new person with the account `p<person id>`; None when it is wrong, used or too old."""
        ...

    async def person(self, platform: str, account: str) -> Person | None: ...


class Admission:
    """Who may come in to a page of ours."""

    def __init__(self, people: People, clock: Clock, platform: str) -> None:
        self._people = people
        self._clock = clock
        self._platform = platform

    async def first_code(self) -> str | None:
        """Make the code of the first administrator, where nobody administers this installation yet."""
        if not await self._people.needs_first_admin():
            return None
        code = _new_code()
        await self._people.valid_from_now(hash_code(code), Role.OWNER, None)
        return code

    async def sign_in_code(self) -> str:
        """Make a code that signs the first administrator in from another browser, for a short time."""
        code = _new_code()
        expires_at = self._clock.now() + SIGN_IN_TIME
        await self._people.valid_from_now(hash_code(code), Role.OWNER, expires_at, for_admin=True)
        return code

    async def redeem(self, code: str, name: str) -> Person | None:
        """Use a one-time code up; None when it is wrong, used or too old."""
        return await self._people.newcomer(hash_code(code), self._platform, name, self._clock.now())

    async def person(self, account: str) -> Person | None:
        """Return the person behind an account of the page."""
        return await self._people.person(self._platform, account)


def _new_code() -> str:
    return secrets.token_urlsafe(16)
