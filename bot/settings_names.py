"""The names that the environment and `.env` may hold, each with a sentence for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

OVERRIDE = "DECKHAND__"
"""What an overriding key of `bot.toml` starts with: `DECKHAND__SECTION__KEY`."""

HOME = "DECKHAND_HOME"
HOST = "DECKHAND_HOST"
PORT = "DECKHAND_PORT"
SECRET_KEY = "DECKHAND_SECRET_KEY"
MODEL = "DECKHAND_MODEL"
DATABASE_URL = "DATABASE_URL"
OPENAI_BASE_URL = "OPENAI_BASE_URL"
OPENAI_KEY = "OPENAI_API_KEY"
ANTHROPIC_KEY = "ANTHROPIC_API_KEY"

BOT: Mapping[str, str] = MappingProxyType(
    {
        HOME: "Where the bot keeps its files; empty: the folder home beside this file.",
        DATABASE_URL: "postgresql://user:password@host/name; empty: SQLite in the home folder.",
        HOST: "The address that we listen on; empty: 127.0.0.1, this machine only.",
        PORT: "The port that we listen on; empty: 8010.",
        SECRET_KEY: "Keys for stored secrets, the newest first, with commas; empty: one is made in the home folder.",
    }
)
MODELS: Mapping[str, str] = MappingProxyType(
    {
        MODEL: "openai/gpt-5, anthropic/…, ollama/…, local, or a name of [[models]]; empty: chosen by the keys below.",
        OPENAI_KEY: "The key for OpenAI, or for the address below.",
        OPENAI_BASE_URL: "Any address that speaks OpenAI's API, as http://127.0.0.1:8000/v1; empty: OpenAI itself.",
        ANTHROPIC_KEY: "The key for Anthropic.",
    }
)

PROVIDERS = (
    *("anthropic", "azure", "cerebras", "codestral", "cohere", "deepinfra", "deepseek", "fireworks_ai", "gemini"),
    *("groq", "huggingface", "mistral", "moonshot", "nvidia_nim", "openai", "openrouter", "perplexity", "replicate"),
    *("sambanova", "together_ai", "xai", "zai"),
)
"""Providers whose key may lie in `.env` without a profile that asks for it."""


class Declares(Protocol):
    """What an adapter says of its own settings."""

    @property
    def environment(self) -> Mapping[str, str]: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


def key_variable(provider: str) -> str:
    """Return where the key of a provider is looked for."""
    return f"{provider.upper()}_API_KEY"


def known_names(adapters: Iterable[Declares], further: Iterable[str]) -> frozenset[str]:
    """Return every name that `.env` may hold; `further` are those that profiles ask for."""
    own = (name for adapter in adapters for name in adapter.environment)
    return frozenset({*BOT, *MODELS, *map(key_variable, PROVIDERS), *own, *further})
