"""People and codes on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.codes import hash_code
from bot.people import Role
from storage.database import Database
from storage.people import NewAccount, People, Redemption, redeem

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
CODE = hash_code("a-one-time-code")


@pytest.fixture
async def people(database: Database) -> AsyncIterator[People]:
    await database.migrate()
    yield People(database)


def an_account(account: str = "42", role: Role = Role.GUEST, now: datetime = NOW) -> NewAccount:
    return NewAccount(platform="paper", account=account, name="Ann", role=role, now=now)


async def test_the_first_code_makes_the_owner(people: People, database: Database) -> None:
    assert await people.needs_first_admin()
    await people.valid_from_now(CODE, Role.OWNER, None)
    person = await database.write(redeem, Redemption(code_hash=CODE, account=an_account()))
    assert person is not None and person.role is Role.OWNER
    assert not await people.needs_first_admin()
    assert await people.person("paper", "42") == person


async def test_a_code_works_once_however_many_bring_it(people: People, database: Database) -> None:
    await people.valid_from_now(CODE, Role.OWNER, None)
    tries = [database.write(redeem, Redemption(code_hash=CODE, account=an_account(str(number)))) for number in range(8)]
    assert sum(person is not None for person in await asyncio.gather(*tries)) == 1


async def test_a_code_that_is_too_old_or_wrong_does_nothing(people: People) -> None:
    await people.valid_from_now(CODE, Role.OWNER, NOW)
    assert await people.newcomer(CODE, "page", "Ann", NOW + timedelta(seconds=1)) is None
    assert await people.newcomer(hash_code("another-code"), "page", "Ann", NOW) is None
    assert await people.needs_first_admin()


async def test_a_newer_code_ends_the_one_before(people: People) -> None:
    await people.valid_from_now(CODE, Role.OWNER, None)
    await people.valid_from_now(hash_code("the-next-code"), Role.OWNER, None)
    assert await people.newcomer(CODE, "page", "Ann", NOW) is None
    assert await people.newcomer(hash_code("the-next-code"), "page", "Ann", NOW) is not None


async def test_a_sign_in_code_brings_the_administrator_back(people: People, database: Database) -> None:
    await people.valid_from_now(CODE, Role.OWNER, None)
    first = await people.newcomer(CODE, "page", "Ann", NOW)
    again = hash_code("sign-in-again")
    await people.valid_from_now(again, Role.OWNER, NOW + timedelta(minutes=10), for_admin=True)
    assert first is not None
    assert await people.newcomer(again, "page", "whoever", NOW) == first
    other = hash_code("and-elsewhere")
    await people.valid_from_now(other, Role.OWNER, NOW + timedelta(minutes=10), for_admin=True)
    elsewhere = await database.write(redeem, Redemption(code_hash=other, account=an_account()))
    assert elsewhere is not None and elsewhere.id == first.id


async def test_two_who_come_at_once_from_one_account_are_one_person(people: People) -> None:
    admitted = await asyncio.gather(*(people.admit(an_account(role=Role.MEMBER)) for _ in range(8)))
    assert len({person.id for person in admitted}) == 1


async def test_a_grant_changes_the_role_of_whoever_has_the_account(people: People) -> None:
    await people.admit(an_account(role=Role.MEMBER))
    await people.grant(an_account(role=Role.ADMIN))
    person = await people.person("paper", "42")
    assert person is not None and person.role is Role.ADMIN
