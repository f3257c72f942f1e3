"""`/help`: what one may say."""

from __future__ import annotations

from bot.command import Command, Invocation, Outcome
from bot.people import Role
from bot.replies import Reply
from commands import _choice, texts


async def help_(invocation: Invocation) -> Outcome:
    """List the commands that this person may use, or explain one."""
    role = invocation.person.role
    commands = [command for command in invocation.desk.commands() if command.role <= role]
    word = invocation.argument.lstrip("/!").casefold()
    if word:
        by_name = {command.name: command for command in commands}
        if word in by_name:
            return _say(texts.help_one(by_name[word]))
        return _say(texts.unknown_command(word, _choice.nearest(word, by_name)))
    chat = f"\n\n{texts.HELP_CHAT}" if role >= Role.MEMBER else ""
    return _say(texts.help_all(commands) + chat)


def _say(text: str) -> Outcome:
    return Outcome(reply=Reply(text=text))


COMMAND = Command(name="help", summary="Tell what I can do.", usage="[COMMAND]", handler=help_, role=Role.GUEST)
