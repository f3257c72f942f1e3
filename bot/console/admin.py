"""`deckhand admin grant`: help a lost administrator, from the machine itself."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser

from bot.console import _texts as texts
from bot.errors import SettingsError
from bot.people import Person, Role
from bot.settings import Settings
from bot.subcommand import Subcommand, Summons
from bot.system_clock import SystemClock

ROLES = tuple(role.label for role in Role)


def run(summons: Summons) -> int:
    """Give an account a role and say so."""
    from bot.console._catalogue import platforms
    from bot.console._reading import settings_of

    words, adapters = summons.arguments, platforms()
    if words.platform not in adapters:
        raise SettingsError(f"there is no platform {words.platform!r}; there are {', '.join(adapters)}")
    settings = settings_of(summons, adapters)
    role = Role[words.role.upper()]
    person = asyncio.run(grant(settings, words.platform, words.account, role, name=words.name))
    summons.terminal.say(texts.granted(person.name, person.role.label))
    return 0


async def grant(settings: Settings, platform: str, account: str, role: Role, *, name: str = "") -> Person:
    """Give an account a role, whoever it is bound to; an unknown account becomes a person."""
    from storage.opened import connect
    from storage.people import NewAccount, People

    database = connect(settings)
    try:
        await database.migrate()
        now = SystemClock().now()
        return await People(database).grant(
            NewAccount(platform=platform, account=account, name=name or account, role=role, now=now)
        )
    finally:
        await database.close()


def arguments(parser: ArgumentParser) -> None:
    words = parser.add_subparsers(dest="admin", required=True, metavar="COMMAND", title="commands")
    grant_parser = words.add_parser("grant", help=texts.GRANT, description=texts.GRANT)
    grant_parser.add_argument("platform", help=texts.PLATFORM)
    grant_parser.add_argument("account", help=texts.ACCOUNT)
    grant_parser.add_argument("--role", choices=ROLES, default=Role.ADMIN.label, help=texts.ROLE)
    grant_parser.add_argument("--name", default="", help=texts.NAME)


SUBCOMMAND = Subcommand(name="admin", summary=texts.ADMIN, run=run, arguments=arguments)
