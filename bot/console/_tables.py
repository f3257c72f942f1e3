"""The tables of docs/ and `.env.example`, made from what the code says: `python -m bot.console._tables`."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot import settings
from bot.adapter import Adapter
from bot.console import found as subcommands
from bot.console._catalogue import hooks, platforms, seats
from bot.console._env_file import env_text
from bot.settings import Access, AgentSettings, EngineSettings, Limits, Profile, Thinking
from bot.settings_names import BOT, MODELS
from bot.settings_tree import EVERY_ADAPTER, Log
from commands import found as commands

EXAMPLE = ".env.example"
_BLOCK = re.compile(r"(<!-- table: ([\w.-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

Rows = Iterable[Sequence[str]]


def tables() -> Mapping[str, str]:
    """Return every table by its name."""
    adapters = platforms()
    made = {
        "access": _fields(Access),
        "limits": _fields(Limits),
        "engine": _fields(EngineSettings),
        "log": _fields(Log),
        "models": _fields(Profile),
        "thinking": _fields(Thinking),
        "agents": _fields(AgentSettings, besides=("name",)),
        "environment-bot": table(("name", "meaning"), _names(BOT)),
        "environment-models": table(("name", "meaning"), _names(MODELS)),
        "commands": table(("command", "what it does", "who may"), _commands()),
        "subcommands": table(("command", "what it does"), _subcommands()),
        "seats": table(("seat", "title", "who", "rule", "setting"), _seats()),
        "hooks": table(("", "hook", "seats"), _hooks()),
        "every-adapter": table(("key", "default"), _options(EVERY_ADAPTER)),
        "platforms": table(("", *adapters), _platforms(adapters)),
    }
    for name, adapter in adapters.items():
        made[f"{name}-environment"] = table(("name", "meaning"), _names(adapter.environment))
        made[f"{name}-options"] = table(("key", "default"), _options(adapter.options))
    return made


def renewed(text: str, made: Mapping[str, str]) -> str:
    """Return a page with its tables made anew; raises `KeyError` for one that is none."""
    return _BLOCK.sub(lambda block: f"{block[1]}{made[block[2]]}\n{block[3]}", text)


def files(root: Path) -> Mapping[Path, str]:
    """Return every file that holds something made, and what it should say."""
    made = tables()
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    texts = {page: renewed(page.read_text(encoding="utf-8"), made) for page in pages if page.exists()}
    return {**texts, root / EXAMPLE: env_text(platforms())}


def table(titles: Sequence[str], rows: Rows) -> str:
    """Return a Markdown table."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _names(names: Mapping[str, str]) -> Rows:
    return [(_code(name), sentence) for name, sentence in names.items()]


def _options(options: Mapping[str, Any]) -> Rows:
    return [(_code(name), _code(_written(value))) for name, value in options.items()]


def _commands() -> Iterator[Sequence[str]]:
    for name, command in sorted(commands().items()):
        yield _code(f"/{name} {command.usage}".strip()), command.summary, command.role.label


def _subcommands() -> Iterator[Sequence[str]]:
    for name, subcommand in subcommands().items():
        yield _code(f"deckhand {name}"), f"{subcommand.summary[0].upper()}{subcommand.summary[1:]}."


def _seats() -> Iterator[Sequence[str]]:
    for seat in seats():
        yield seat.id, seat.title, seat.who.value, seat.rule, _code(seat.setting)


def _hooks() -> Iterator[Sequence[str]]:
    for number, hook in enumerate(hooks(), start=1):
        yield str(number), _code(hook.name), " ".join(seat.id for seat in hook.seats)


def _platforms(adapters: Mapping[str, Adapter]) -> Iterator[Sequence[str]]:
    facts = [adapter.capabilities for adapter in adapters.values()]
    yield (
        "shortest time between two previews of a growing answer, in a private chat",
        *(f"{fact.preview_seconds_direct:g} s" for fact in facts),
    )
    yield "the same in a group", *(f"{fact.preview_seconds_group:g} s" for fact in facts)
    yield "posts a second, all rooms together", *(f"{fact.posts_per_second:g}" for fact in facts)
    yield "largest file that the bot sends", *(f"{fact.max_file_bytes / 1e6:g} MB" for fact in facts)
    yield "largest file that the bot takes", *(f"{fact.max_fetch_bytes / 1e6:g} MB" for fact in facts)


def _fields(kind: Any, besides: Sequence[str] = ()) -> str:
    sentences = _sentences(kind)
    rows = [
        (_code(field.name), _default(field), sentences.get(field.name, ""))
        for field in fields(kind)
        if field.name not in besides
    ]
    return table(("key", "default", "meaning"), rows)


def _default(field: Field[Any]) -> str:
    if field.default is not MISSING:
        return _code(_written(field.default))
    return "" if field.default_factory is not MISSING else "must be set"


def _written(value: Any) -> str:
    if value is None or value in ("", ()):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else f"{value}"


def _sentences(kind: type) -> Mapping[str, str]:
    """Return what the source says below each field of a dataclass."""
    module = settings if kind.__module__ == settings.__name__ else sys.modules[kind.__module__]
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            return dict(_below(node.body))
    raise AssertionError(f"{kind} is not in the source of {module.__name__}")


def _below(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    for statement, following in pairwise(body):
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
        ):
            yield statement.target.id, str(following.value.value)


if __name__ == "__main__":
    for path, text in files(Path.cwd()).items():
        path.write_text(text, encoding="utf-8")
