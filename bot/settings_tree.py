"""From the tree of `bot.toml`, with what overrides it, to the frozen settings of each section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from typing import Any, Literal, TypeVar, get_type_hints

from bot.errors import SettingsError
from bot.settings import Access, AgentSettings, EngineSettings, Limits, Profile
from bot.settings_names import OVERRIDE, Declares
from bot.settings_values import Place, Said, like, listed, read, unknown, wrong

Tree = dict[str, Any]
Kind = TypeVar("Kind")

DEFAULT_AGENT = "default"


@dataclass(frozen=True, kw_only=True, slots=True)
class Log:
    """`[log]`: what is written to standard error."""

    format: Literal["text", "json"] = "text"
    """For people, or one JSON object a line."""
    level: Literal["debug", "info", "warning", "error"] = "info"
    """The least that is written."""


SECTIONS: Mapping[str, Any] = {"access": Access, "limits": Limits, "engine": EngineSettings, "log": Log}
GROUPS = ("models", "agents", "adapters")

EVERY_ADAPTER: Mapping[str, Any] = {"enabled": True, "posts_per_second": 0.0}
"""Options that each section `[adapters.NAME]` may hold besides the adapter's own."""

_AT_LEAST_ONE = frozenset(
    {
        *("attempts", "runs_at_once", "runs_per_claim", "steps", "steps_most", "steps_unattended", "window_items"),
        *("text_characters", "messages_per_minute", "room_messages_per_minute", "context_tokens", "max_tokens"),
    }
)
_MORE_THAN_ZERO = frozenset({"lease_seconds", "tool_seconds", "model_gap_seconds", "bot_window_seconds"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Sections:
    """Everything that `bot.toml` can say."""

    access: Access
    limits: Limits
    engine: EngineSettings
    log: Log
    profiles: tuple[Profile, ...]
    agents: Mapping[str, AgentSettings]
    options: Mapping[str, Mapping[str, Any]]
    """By adapter."""
    enabled: Mapping[str, bool]
    """By adapter."""


def override(tree: Tree, said: Iterable[Said]) -> Tree:
    """Return the tree with what variables `DECKHAND__SECTION__KEY` say in it."""
    result: Tree = {name: _copy(value) for name, value in tree.items()}
    for one in sorted(said, key=lambda one: one.name):
        path = [piece.lower() for piece in one.name.removeprefix(OVERRIDE).split("__")]
        if path == ["models"]:
            result["models"] = listed(one, Place(key=one.name))
        elif len(path) < 2 or not all(path):
            place = Place(key=one.name, file=one.file)
            raise SettingsError(f"{place} names no key; write {OVERRIDE}SECTION__KEY, as {OVERRIDE}ACCESS__OPEN=true")
        else:
            _put(_section(result, path, one), path, one)
    return result


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copy(one) for name, one in value.items()}
    return [_copy(one) for one in value] if isinstance(value, list) else value


def _section(tree: Tree, path: list[str], said: Said) -> Tree:
    """Return the table that a path starts in, and leave in the path what lies inside it."""
    name = path.pop(0)
    if name != "models":
        return _inner(tree, name, said)
    profiles = listed(tree.get("models", []), Place(key="[[models]]"))
    names = {_folded(str(profile.get("name", ""))): profile for profile in profiles}
    wanted = path.pop(0)
    if wanted not in names or not path:
        known = ", ".join(sorted(names)) or "none"
        raise SettingsError(f"{said.name} in {said.file} names no model of [[models]]; known: {known}")
    profile = names[wanted]
    assert isinstance(profile, dict)
    return profile


def _put(table: Tree, path: list[str], said: Said) -> None:
    while len(path) > 1:
        table = _inner(table, path.pop(0), said)
    table[_spelled(table, path[0])] = said


def _inner(table: Tree, name: str, said: Said) -> Tree:
    inner = table.setdefault(_spelled(table, name), {})
    if not isinstance(inner, dict):
        raise SettingsError(f"{said.name} in {said.file} reaches into {name}, which is one value")
    return inner


def _spelled(table: Tree, name: str) -> str:
    """Return a name as the table spells it: variables know neither small letters nor dashes."""
    return next((known for known in table if _folded(known) == name), name)


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "_", name.lower())


def sections(tree: Tree, adapters: Mapping[str, Declares]) -> Sections:
    """Return what the tree says; raises `SettingsError` for what it cannot mean."""
    for name in tree:
        if name not in SECTIONS and name not in GROUPS:
            raise unknown(_place(f"[{name}]", tree[name]), (*SECTIONS, *GROUPS))
    said = _tables(tree.get("adapters", {}), "adapters")
    for name in said:
        if name not in adapters:
            raise unknown(_place(f"[adapters] {name}", said[name]), adapters)
    options = {name: _options(said.get(name, {}), name, adapter) for name, adapter in adapters.items()}
    return Sections(
        access=fill(Access, tree.get("access", {}), "[access]"),
        limits=fill(Limits, tree.get("limits", {}), "[limits]"),
        engine=fill(EngineSettings, tree.get("engine", {}), "[engine]"),
        log=fill(Log, tree.get("log", {}), "[log]"),
        profiles=_profiles(tree.get("models", [])),
        agents=_agents(_tables(tree.get("agents", {}), "agents")),
        options={name: _own(found) for name, found in options.items()},
        enabled={name: bool(found.get("enabled", True)) for name, found in options.items()},
    )


def fill(kind: type[Kind], table: Any, title: str, **given: Any) -> Kind:
    """Return the dataclass that a table describes; `given` are fields that the table may not name."""
    table = _as_table(table, title)
    hints = get_type_hints(kind)
    known = {field.name: field for field in fields(kind) if field.name not in given}  # type: ignore[arg-type]
    values = dict(given)
    for key, value in table.items():
        place = _place(f"{title} {key}", value)
        if key not in known:
            raise unknown(place, known)
        values[key] = _field(value, hints[key], place)
    _complete(known, values, title)
    return kind(**values)


def _field(value: Any, hint: Any, place: Place) -> Any:
    if isinstance(hint, type) and is_dataclass(hint):
        return fill(hint, value, place.key)
    found, name = read(value, hint, place), place.key.rpartition(" ")[2]
    if isinstance(found, (int, float)):
        if name in _AT_LEAST_ONE and found < 1:
            raise wrong(place, value, "1 or more")
        if name in _MORE_THAN_ZERO and found <= 0:
            raise wrong(place, value, "more than 0")
    return found


def _complete(known: Mapping[str, Field[Any]], values: Tree, title: str) -> None:
    for name, field in known.items():
        required = field.default is MISSING and field.default_factory is MISSING
        if required and values.get(name, "") == "":
            raise SettingsError(f"{title} in bot.toml lacks {name}")


def _profiles(said: Any) -> tuple[Profile, ...]:
    found: dict[str, Profile] = {}
    for number, table in enumerate(listed(said, Place(key="[[models]]")), start=1):
        title = f"[[models]] {table['name']}" if isinstance(table.get("name"), str) else f"[[models]] number {number}"
        profile = fill(Profile, table, title)
        if profile.name in found:
            raise SettingsError(f"[[models]] in bot.toml has two models named {profile.name!r}; give each its own name")
        found[profile.name] = profile
    return tuple(found.values())


def _agents(said: Mapping[str, Any]) -> Mapping[str, AgentSettings]:
    found = {name: fill(AgentSettings, table, f"[agents.{name}]", name=name) for name, table in said.items()}
    return {DEFAULT_AGENT: AgentSettings(name=DEFAULT_AGENT), **found}


def _options(table: Any, name: str, adapter: Declares) -> Mapping[str, Any]:
    title = f"[adapters.{name}]"
    known = {**EVERY_ADAPTER, **adapter.options}
    found = {}
    for key, value in _as_table(table, title).items():
        place = _place(f"{title} {key}", value)
        if key not in known:
            raise unknown(place, known)
        found[key] = like(value, known[key], place)
    return {**adapter.options, **found}


def _own(options: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in options.items() if key != "enabled"}


def _tables(table: Any, name: str) -> Mapping[str, Any]:
    found = _as_table(table, f"[{name}]")
    for key, value in found.items():
        _as_table(value, f"[{name}.{key}]")
    return found


def _as_table(value: Any, title: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise wrong(Place(key=title), value, "a table")
    return value


def _place(key: str, value: Any) -> Place:
    """Return the place of a key: in a variable where it, or the first key inside it, was said by one."""
    while isinstance(value, Mapping) and value:
        value = next(iter(value.values()))
    return replace(Place(key=key), file=f"{value.file} ({value.name})") if isinstance(value, Said) else Place(key=key)
