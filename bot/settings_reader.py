"""Settings reader: the environment, `.env` and `bot.toml` in, frozen settings out. Only this file reads the first."""

from __future__ import annotations

import base64
import binascii
import io
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import SettingsError
from bot.settings import AdapterSettings, Settings, Web
from bot.settings_models import Offers, check_agents, key_variables, profiles
from bot.settings_names import (
    DATABASE_URL,
    HOME,
    HOST,
    OVERRIDE,
    PORT,
    PROVIDERS,
    SECRET_KEY,
    Declares,
    key_variable,
    known_names,
)
from bot.settings_tree import Sections, Tree, override, sections
from bot.settings_values import Place, Said, read, unknown, wrong

ENV_FILE = ".env"
TOML_FILE = "bot.toml"
INHERITED = "the environment"
DEFAULT_HOME = "home"

_DATABASES = ("sqlite:///", "postgresql://", "postgres://", "postgresql+asyncpg://")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sources:
    """What was written, before anybody knows what it means."""

    folder: Path
    environment: Mapping[str, str]
    """What the process was started with lies over `.env`; empty values are left out."""
    written: frozenset[str]
    """The names in `.env`."""
    inherited: frozenset[str]
    """The names that the process was started with."""
    tree: Tree
    """`bot.toml` with its overrides."""

    def file_of(self, name: str) -> str:
        """Return where the value of a name stands."""
        return INHERITED if name in self.inherited else ENV_FILE


def nobody() -> Sequence[str]:
    """Say that no Ollama answers."""
    return ()


def read_settings(
    adapters: Mapping[str, Declares],
    *,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    ollama: Offers = nobody,
) -> Settings:
    """Read everything; raises `SettingsError` naming the key, the file and the cure.

    `.env` and `bot.toml` lie in `folder`; `environment` is the process's own unless given.
    """
    sources = gather(folder, inherited() if environment is None else environment)
    said = sections(sources.tree, adapters)
    values = sources.environment
    models = profiles(said.profiles, values, ollama)
    variables = key_variables(models)
    _check_names(sources, known_names(adapters.values(), variables))
    check_agents(said.agents, models)
    return Settings(
        home=_home(sources),
        database_url=_database_url(values),
        secret_key=_secret_key(values),
        web=_web(sources),
        access=said.access,
        limits=said.limits,
        engine=said.engine,
        profiles=models,
        agents=said.agents,
        adapters=_turned_on(adapters, said, values),
        keys=_some(values, {*variables, *map(key_variable, PROVIDERS)}),
        log_format=said.log.format,
        log_level=said.log.level,
    )


def inherited() -> Mapping[str, str]:
    """Return what the process was started with."""
    return dict(os.environ)


def gather(folder: Path, environment: Mapping[str, str]) -> Sources:
    """Return what the files in a folder and the environment say."""
    written = read_env_file(folder / ENV_FILE)
    merged = {name: value for name, value in {**written, **environment}.items() if value.strip()}
    overriding = (
        Said(text=value, name=name, file=INHERITED if name in environment else ENV_FILE)
        for name, value in merged.items()
        if name.startswith(OVERRIDE)
    )
    tree = override(read_toml_file(folder / TOML_FILE), overriding)
    return Sources(
        folder=folder,
        environment=merged,
        written=frozenset(written),
        inherited=frozenset(environment),
        tree=tree,
    )


def read_env_file(path: Path) -> Mapping[str, str]:
    """Return the names and values of a `.env`; nothing where there is no such file."""
    from dotenv.parser import parse_stream

    found: dict[str, str] = {}
    for binding in parse_stream(io.StringIO(_file_text(path))):
        if binding.error or (binding.key is not None and binding.value is None):
            raise SettingsError(f"line {binding.original.line} of {path.name} cannot be read; write NAME=value")
        if binding.key is not None:
            found[binding.key] = binding.value or ""
    return found


def read_toml_file(path: Path) -> Tree:
    """Return the tree of a `bot.toml`; an empty one where there is no such file."""
    try:
        return tomllib.loads(_file_text(path))
    except tomllib.TOMLDecodeError as exc:
        raise SettingsError(f"{path.name} cannot be read: {exc}") from exc


def _file_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingsError(f"{path} cannot be read: {exc}") from exc


def _check_names(sources: Sources, known: Iterable[str]) -> None:
    names = frozenset(known)
    for name in sorted(sources.written - names):
        if not name.startswith(OVERRIDE):
            raise unknown(Place(key=name, file=ENV_FILE), names)


def _home(sources: Sources) -> Path:
    return (sources.folder / Path(sources.environment.get(HOME, DEFAULT_HOME)).expanduser()).absolute()


def _database_url(values: Mapping[str, str]) -> str:
    url = values.get(DATABASE_URL, "").strip()
    if url and not url.startswith(_DATABASES):
        # The value is not repeated: it may hold a password.
        raise SettingsError(
            f"{DATABASE_URL} is no database that we know; write postgresql://user:password@host/name or sqlite:///file"
        )
    return url


def _secret_key(values: Mapping[str, str]) -> str:
    keys = [key.strip() for key in values.get(SECRET_KEY, "").split(",") if key.strip()]
    if not all(_is_key(key) for key in keys):
        # The value is not repeated: it is a secret.
        raise SettingsError(f"{SECRET_KEY} holds something that is no key; each is 32 random bytes in URL-safe base64")
    return ",".join(keys)


def _is_key(text: str) -> bool:
    try:
        return len(base64.urlsafe_b64decode(text.encode())) == 32
    except (binascii.Error, ValueError):
        return False


def _web(sources: Sources) -> Web:
    values = sources.environment
    host = values.get(HOST, Web().host).strip()
    if PORT not in values:
        return Web(host=host)
    said = Said(text=values[PORT], name=PORT, file=sources.file_of(PORT))
    port: int = read(said, int, Place(key=PORT))
    if port > 65535:
        raise wrong(Place(key=PORT), said, "a port, 0 to 65535,")
    return Web(host=host, port=port)


def _turned_on(
    adapters: Mapping[str, Declares], said: Sections, values: Mapping[str, str]
) -> Mapping[str, AdapterSettings]:
    found: dict[str, AdapterSettings] = {}
    for name, adapter in adapters.items():
        # An adapter without keys has nothing that could turn it on: it is on until it is turned off.
        token = next(iter(adapter.environment), None)
        if said.enabled[name] and (token is None or token in values):
            options: Mapping[str, Any] = said.options[name]
            found[name] = AdapterSettings(environment=_some(values, adapter.environment), options=options)
    return found


def _some(values: Mapping[str, str], names: Iterable[str]) -> Mapping[str, str]:
    return {name: values[name].strip() for name in sorted(names) if name in values}
