"""Menu: the commands that people are offered when they type a slash."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.telegram.api import Api
from adapters.telegram.facts import MAX_COMMAND_DESCRIPTION, MAX_COMMANDS
from bot.command import Command

# https://core.telegram.org/bots/api#botcommand
_NAME = re.compile(r"[a-z0-9_]{1,32}")


def entries(commands: Sequence[Command]) -> list[dict[str, str]]:
    """Return the menu; a command whose name the platform cannot show is typed without it."""
    shown = [command for command in commands if _NAME.fullmatch(command.name)]
    return [
        {"command": command.name, "description": (command.summary or command.name)[:MAX_COMMAND_DESCRIPTION]}
        for command in shown[:MAX_COMMANDS]
    ]


async def publish(api: Api, commands: Sequence[Command]) -> None:
    """Show the menu, unless it is shown already. Raises `telegram.error.TelegramError`."""
    wanted = entries(commands)
    if await api.call("getMyCommands") != wanted:
        await api.call("setMyCommands", commands=wanted)
