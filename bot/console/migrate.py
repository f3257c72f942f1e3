"""`deckhand migrate`: bring the database up to date."""

from __future__ import annotations

import asyncio

from bot.console import _texts as texts
from bot.settings import Settings
from bot.subcommand import Subcommand, Summons


def run(summons: Summons) -> int:
    """Migrate, and say whether anything had to be done."""
    from bot.console._reading import settings_of

    changed = asyncio.run(migrate(settings_of(summons)))
    summons.terminal.say(texts.MIGRATED if changed else texts.UP_TO_DATE)
    return 0


async def migrate(settings: Settings) -> bool:
    """Migrate the database of the settings; raises `StartError` while another process works on a SQLite file."""
    from storage.opened import connect

    database = connect(settings)
    try:
        return await database.migrate()
    finally:
        await database.close()


SUBCOMMAND = Subcommand(name="migrate", summary=texts.MIGRATE, run=run)
