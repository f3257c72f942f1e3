"""`deckhand init`: write `.env` and `bot.toml` by asking."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path

from bot.console import _texts as texts
from bot.console._env_file import env_text, groups, is_secret
from bot.settings_names import BOT, Declares
from bot.settings_reader import ENV_FILE, TOML_FILE
from bot.subcommand import Subcommand, Summons, Terminal

PRIVATE = 0o600
SHARED = 0o644


def run(summons: Summons) -> int:
    """Write both files; one that exists is replaced only after a yes."""
    from bot.console._catalogue import platforms

    adapters, terminal, silent = platforms(), summons.terminal, bool(summons.arguments.yes)
    env_file, toml_file = summons.folder / ENV_FILE, summons.folder / TOML_FILE
    if not silent:
        terminal.tell(texts.INTRODUCTION)
    if _may_write(env_file, terminal, silent=silent):
        values = {} if silent else dict(ask_keys(adapters, terminal))
        write(env_file, env_text(adapters, values), mode=PRIVATE)
        terminal.say(texts.wrote(ENV_FILE))
    if _may_write(toml_file, terminal, silent=silent):
        everybody = not silent and yes(terminal, texts.ASK_OPEN)
        write(toml_file, toml_text(everybody=everybody), mode=SHARED)
        terminal.say(texts.wrote(TOML_FILE))
    terminal.say(texts.NEXT)
    return 0


def _may_write(path: Path, terminal: Terminal, *, silent: bool) -> bool:
    if not path.exists() or (not silent and yes(terminal, texts.ask_replace(path.name))):
        return True
    terminal.say(texts.kept(path.name))
    return False


def yes(terminal: Terminal, question: str) -> bool:
    """Ask what is answered by yes or no; everything else is no."""
    return terminal.ask(question).lower() in ("y", "yes")


def ask_keys(adapters: Mapping[str, Declares], terminal: Terminal) -> Iterator[tuple[str, str]]:
    """Ask for keys; of a platform whose first key is left empty, nothing more is asked."""
    for _, keys in groups(adapters):
        if keys is BOT:
            continue
        optional = not any(keys is adapter.environment for adapter in adapters.values())
        for name, sentence in keys.items():
            value = terminal.ask(texts.ask_key(name, sentence), secret=is_secret(name))
            if value:
                yield name, value
            elif not optional and name == next(iter(keys)):
                break


def toml_text(*, everybody: bool) -> str:
    """Return a `bot.toml` to begin with."""
    return "\n".join(
        (
            "# Structure; keys and addresses lie in .env. What can be said here: docs/settings.md.",
            "",
            "[access]",
            "# Who may speak to the bot: everybody, or only those whom an administrator lets in.",
            f"open = {'true' if everybody else 'false'}",
            "",
            "[limits]",
            "# What all models together may cost in a day, in US dollars. Without it there is no limit.",
            "# usd_per_day = 5.0",
            "",
            "[agents.default]",
            'instructions = ""',
            "",
        )
    )


def write(path: Path, text: str, *, mode: int) -> None:
    """Put a file in place as a whole, from the first moment with this mode."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help=texts.YES)


SUBCOMMAND = Subcommand(name="init", summary=texts.INIT, run=run, arguments=arguments)
