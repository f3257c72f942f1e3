"""People: accounts, persons, roles and one-time codes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.people import Person, Role
from storage.database import Database
from storage.prepared import Prepared
from storage.tables import CODE, CONNECTION, PERSON

_b = sa.bindparam

NAME_LENGTH = 200

_FIND = Prepared(
    sa.select(PERSON.c.id, PERSON.c.name, PERSON.c.role)
    .select_from(CONNECTION.join(PERSON, PERSON.c.id == CONNECTION.c.person_id))
    .where(CONNECTION.c.platform == _b("p"), CONNECTION.c.account == _b("a"))
)
_HAS_ADMIN = Prepared(sa.select(PERSON.c.id).where(PERSON.c.role >= int(Role.ADMIN)).limit(1))
_BY_ID = Prepared(sa.select(PERSON.c.id, PERSON.c.name, PERSON.c.role).where(PERSON.c.id == _b("i")))
_ADD_PERSON = Prepared(
    sa.insert(PERSON).values(name=_b("name"), role=_b("role"), created_at=_b("now")).returning(PERSON.c.id)
)
_BIND = Prepared(
    lambda insert: (
        insert(CONNECTION)
        .values(platform=_b("p"), account=_b("a"), person_id=_b("i"), created_at=_b("now"))
        .on_conflict_do_nothing()
        .returning(CONNECTION.c.person_id)
    )
)


def find(connection: sa.Connection, platform: str, account: str) -> Person | None:
    """Return the person behind an account."""
    row = _FIND.first(connection, {"p": platform, "a": account})
    return None if row is None else Person(id=row.id, name=row.name, role=Role(row.role))


def by_id(connection: sa.Connection, person_id: int) -> Person:
    """Return a person who exists."""
    row = _BY_ID.one(connection, {"i": person_id})
    return Person(id=row.id, name=row.name, role=Role(row.role))


def has_admin(connection: sa.Connection) -> bool:
    """Say whether somebody administers this installation already."""
    return _HAS_ADMIN.first(connection, {}) is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewAccount:
    """An account on its way to being bound."""

    platform: str
    account: str
    name: str
    role: Role
    now: datetime


def admit(connection: sa.Connection, new: NewAccount) -> Person:
    """Return the account's person, made now when it is bound to nobody."""
    known = find(connection, new.platform, new.account)
    if known is not None:
        return known
    name = new.name[:NAME_LENGTH] or new.account
    person_id = _ADD_PERSON.scalar(connection, {"name": name, "role": int(new.role), "now": new.now})
    bound = _BIND.scalar(connection, {"p": new.platform, "a": new.account, "i": person_id, "now": new.now})
    if bound is None:
        # Another transaction bound the account while we waited for it; its person stands.
        connection.execute(sa.delete(PERSON).where(PERSON.c.id == person_id))
        person = find(connection, new.platform, new.account)
        assert person is not None
        return person
    return Person(id=person_id, name=name, role=new.role)


@dataclass(frozen=True, kw_only=True, slots=True)
class Redemption:
    """Somebody shows a code."""

    code_hash: str
    account: NewAccount


def redeem(connection: sa.Connection, redemption: Redemption) -> Person | None:
    """Use a code up for an account; None when it is wrong, used or too old.

    The account's person gets the code's role, or the account is bound to the person whom the code signs in.
    """
    account = redemption.account
    code = _use(connection, redemption.code_hash, account.now)
    if code is None:
        return None
    person = _owner_of_code(connection, code, account.platform, account.account, account.now) or admit(
        connection, account
    )
    role = max(Role(code.role), person.role)
    connection.execute(sa.update(PERSON).where(PERSON.c.id == person.id).values(role=int(role)))
    return Person(id=person.id, name=person.name, role=role)


def _use(connection: sa.Connection, code_hash: str, now: datetime) -> Any:
    """Use a code up and return it: of two who bring it at once, one gets it."""
    return connection.execute(
        sa.update(CODE)
        .where(
            CODE.c.hash == code_hash,
            CODE.c.used_at.is_(None),
            sa.or_(CODE.c.expires_at.is_(None), CODE.c.expires_at > now),
        )
        .values(used_at=now)
        .returning(CODE.c.role, CODE.c.person_id)
    ).first()


def _owner_of_code(connection: sa.Connection, code: Any, platform: str, account: str, now: datetime) -> Person | None:
    """Bind an account that is bound to nobody to the person whom a code signs in; None where it signs in nobody."""
    if code.person_id is None:
        return None
    _BIND.scalar(connection, {"p": platform, "a": account, "i": code.person_id, "now": now})
    return find(connection, platform, account)


@dataclass(frozen=True, kw_only=True, slots=True)
class Newcomer:
    """Somebody without an account shows a code."""

    code_hash: str
    platform: str
    name: str
    now: datetime


def newcomer(connection: sa.Connection, value: Newcomer) -> Person | None:
    """Use a code up at a page that makes its accounts itself: they are called `p<person id>`."""
    code = _use(connection, value.code_hash, value.now)
    if code is None:
        return None
    if code.person_id is not None:
        return _owner_of_code(connection, code, value.platform, f"p{code.person_id}", value.now)
    name = value.name[:NAME_LENGTH]
    person_id = _ADD_PERSON.scalar(connection, {"name": name, "role": code.role, "now": value.now})
    bound = {"p": value.platform, "a": f"p{person_id}", "i": person_id, "now": value.now}
    _BIND.scalar(connection, bound)
    return Person(id=person_id, name=name, role=Role(code.role))


@dataclass(frozen=True, kw_only=True, slots=True)
class NewCode:
    """A code that shall be valid from now on."""

    code_hash: str
    role: Role
    expires_at: datetime | None
    for_admin: bool = False
    """It signs the first administrator in again, instead of making a new person."""


def put_code(connection: sa.Connection, code: NewCode) -> None:
    """Make a code valid; unused ones of the same role are so no more."""
    person_id = None
    if code.for_admin:
        admins = sa.select(PERSON.c.id).where(PERSON.c.role >= int(Role.ADMIN)).order_by(PERSON.c.id).limit(1)
        person_id = connection.execute(admins).scalar_one()
    connection.execute(sa.delete(CODE).where(CODE.c.role == int(code.role), CODE.c.used_at.is_(None)))
    values = {"hash": code.code_hash, "role": int(code.role), "expires_at": code.expires_at, "person_id": person_id}
    connection.execute(sa.insert(CODE).values(values))


def needs_first_admin(connection: sa.Connection, _: None) -> bool:
    """Say whether nobody administers this installation yet."""
    return not has_admin(connection)


def grant(connection: sa.Connection, account: NewAccount) -> Person:
    """Give an account a role, whoever it is bound to; for `deckhand admin grant`."""
    person = admit(connection, account)
    connection.execute(sa.update(PERSON).where(PERSON.c.id == person.id).values(role=int(account.role)))
    return Person(id=person.id, name=person.name, role=account.role)


def person_of(connection: sa.Connection, account: tuple[str, str]) -> Person | None:
    """Return the person behind (platform, account)."""
    return find(connection, *account)


class People:
    """Accounts and codes, as assembly and the adapters' sign-in use them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def needs_first_admin(self) -> bool:
        return await self._database.read(needs_first_admin, None)

    async def valid_from_now(
        self, code_hash: str, role: Role, expires_at: datetime | None, *, for_admin: bool = False
    ) -> None:
        code = NewCode(code_hash=code_hash, role=role, expires_at=expires_at, for_admin=for_admin)
        await self._database.write(put_code, code)

    async def newcomer(self, code_hash: str, platform: str, name: str, now: datetime) -> Person | None:
        value = Newcomer(code_hash=code_hash, platform=platform, name=name, now=now)
        return await self._database.write(newcomer, value)

    async def grant(self, account: NewAccount) -> Person:
        return await self._database.write(grant, account)

    async def admit(self, account: NewAccount) -> Person:
        return await self._database.write(admit, account)

    async def person(self, platform: str, account: str) -> Person | None:
        return await self._database.read(person_of, (platform, account))
