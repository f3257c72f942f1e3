"""Which models there are: by `DECKHAND_MODEL`, by `[[models]]`, else by what the machine offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bot.errors import SettingsError
from bot.settings import AgentSettings, Profile
from bot.settings_names import ANTHROPIC_KEY, MODEL, OPENAI_BASE_URL, OPENAI_KEY, key_variable
from bot.settings_values import Place, wrong

OLLAMA_URL = "http://127.0.0.1:11434/v1"
OLLAMA_CONTEXT = 8192
"""Ollama gives a model little room unless it is told otherwise; `[[models]]` can say more."""

DEFAULT_OPENAI = "openai/gpt-5"
DEFAULT_ANTHROPIC = "anthropic/claude-sonnet-5-5"

Environment = Mapping[str, str]
Offers = Callable[[], Sequence[str]]
"""Asks a running Ollama for its models; empty where none answers."""


def profiles(said: Sequence[Profile], environment: Environment, ollama: Offers) -> tuple[Profile, ...]:
    """Return every profile, the default first, each with its address and where its key lies."""
    wanted = environment.get(MODEL, "")
    placed = [place(profile, environment) for profile in said]
    names = [profile.name for profile in placed]
    if wanted in names:
        placed.insert(0, placed.pop(names.index(wanted)))
        return tuple(placed)
    if placed and not wanted:
        return tuple(placed)
    first = place(parse(wanted or _offered(environment, ollama), names), environment)
    return (first, *(profile for profile in placed if profile.name != first.name))


def parse(text: str, names: Sequence[str] = ()) -> Profile:
    """Return the profile that a `DECKHAND_MODEL` names; `names` are those of `[[models]]`."""
    provider, slash, model = text.partition("/")
    if text == "local":
        # A small model left to itself repeats a sign for ever.
        return Profile(
            name=text, provider=text, model=text, title=_TITLES[text], tools=False, temperature=0.2, max_tokens=400
        )
    if text == "scripted":
        return Profile(name=text, provider=text, model=text, title=_TITLES[text])
    if not slash or not provider or not model:
        known = f"{', '.join(names)}, " if names else ""
        raise SettingsError(
            f"{MODEL} is {text!r}; expected is {known}local, or provider/model as in {DEFAULT_OPENAI} or ollama/qwen3"
        )
    profile = Profile(name=model, provider=provider.lower(), model=model)
    return replace(profile, context_tokens=OLLAMA_CONTEXT) if profile.provider == "ollama" else profile


_TITLES = {
    "local": "the small embedded model",
    "scripted": "the scripted model, which only echoes",
}


def place(profile: Profile, environment: Environment) -> Profile:
    """Return a profile with its address, and the variable that holds its key."""
    if profile.provider == "ollama":
        title = profile.title or f"{profile.model} (Ollama)"
        return replace(profile, provider="openai", base_url=profile.base_url or OLLAMA_URL, title=title)
    if profile.provider == "openai" and not profile.base_url and environment.get(OPENAI_BASE_URL):
        key = profile.key_variable or (OPENAI_KEY if environment.get(OPENAI_KEY) else "")
        return replace(profile, base_url=environment[OPENAI_BASE_URL], key_variable=key)
    return profile


def _offered(environment: Environment, ollama: Offers) -> str:
    if environment.get(OPENAI_KEY) or environment.get(OPENAI_BASE_URL):
        return DEFAULT_OPENAI
    if environment.get(ANTHROPIC_KEY):
        return DEFAULT_ANTHROPIC
    offered = ollama()
    return f"ollama/{offered[0]}" if offered else "local"


def key_variables(found: Sequence[Profile]) -> frozenset[str]:
    """Return the variables in which these profiles look for their keys."""
    return frozenset(profile.key_variable or key_variable(profile.provider) for profile in found)


def check_agents(agents: Mapping[str, AgentSettings], found: Sequence[Profile]) -> None:
    """Raise `SettingsError` for an agent whose model does not exist."""
    names = [profile.name for profile in found]
    for agent in agents.values():
        if agent.model and agent.model not in names:
            place = Place(key=f"[agents.{agent.name}] model")
            raise wrong(place, agent.model, f"one of the models {', '.join(names)}")
