"""Settings: what the operator decided, read once and frozen.

Secrets and addresses come from the environment and `.env`, structure from `bot.toml`. Only this file and its
reader look at the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """`[access]`: who may speak to the bot."""

    open: bool = False
    """Everyone may; unknown accounts become members."""
    bots: bool = False
    """Other bots may speak, at most `bot_cap` messages in `bot_window_seconds` a room."""
    bot_cap: int = 3
    bot_window_seconds: float = 60.0
    mention_in_groups: bool = True
    """In groups the bot answers only when it is mentioned or already takes part."""
    threads: Literal["shared", "per_person"] = "shared"
    """Whether a group shares one thread or each person has their own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """`[limits]`: how much, how fast, how long."""

    usd_per_day: float | None = None
    """The whole installation starts no new run above this."""
    messages_per_minute: int = 30
    """What one person may say in one minute; more is answered later."""
    room_messages_per_minute: int = 120
    text_characters: int = 100_000
    """A longer message is cut, and says so."""
    runs_at_once: int = 100
    runs_per_claim: int = 5
    """A thread yields to others after this many runs in a row."""
    attempts: int = 5
    """A run that crashed this often is given up with an apology."""
    steps: int = 100
    """Model calls in one run (seat F1)."""
    steps_most: int = 1000
    steps_unattended: int = 250
    tool_seconds: float = 120.0
    model_gap_seconds: float = 240.0
    """The longest silence inside a model's stream."""
    model_calls_at_once: int = 0
    """Over the whole process; 0 means no cap (seat C2)."""
    window_items: int = 200
    """How many items of a thread a run may look back on."""
    long_run_seconds: float = 30.0
    """A run that took longer ends with a short message that mentions the asker; 0 turns it off."""
    delivery_hours: float = 24.0
    """What could not be delivered in this time becomes one line."""
    keep_days: float = 90.0
    """How long payloads, steps, journal and deliveries are kept; 0 keeps them for ever."""
    album_seconds: float = 0.8
    """How long files that are sent together may take to arrive."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Thinking:
    """`[models.thinking]`: what a model lets us choose (seat A2)."""

    support: Literal["none", "optional", "required"] = "none"
    on_disable_request: Literal["force_on", "reject"] = "force_on"
    efforts: tuple[str, ...] = ()
    """The words it knows; empty: it has no effort."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    default_effort: str = ""
    legacy_efforts: bool = False
    """Pass minimal, low, medium and high as they are."""
    when_enabled: Mapping[str, Any] = field(default_factory=dict)
    """Added to the request when thinking is on (seat A3)."""
    when_disabled: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """`[[models]]`: one model, as data."""

    name: str
    provider: str
    """`openai` for every OpenAI-compatible address, `scripted`, `local`, else a provider that litellm knows."""
    model: str
    """The provider's own name of it."""
    title: str = ""
    base_url: str = ""
    key_variable: str = ""
    """The environment variable that holds the key."""
    context_tokens: int = 128_000
    max_tokens: int | None = None
    temperature: float | None = None
    vision: bool = False
    tools: bool = True
    thinking: Thinking = field(default_factory=Thinking)
    usd_in: float = 0.0
    """Per million tokens in."""
    usd_out: float = 0.0
    usd_cached: float | None = None
    """Per million tokens read from the provider's cache; None: as `usd_in`."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request, as they are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentSettings:
    """`[agents.NAME]`: a persona."""

    name: str
    instructions: str = ""
    model: str = ""
    thinking: bool | None = None
    effort: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    tools: tuple[str, ...] | None = None
    """Names of the tools it may use; None means all."""
    steps: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Web:
    """`DECKHAND_HOST` and `DECKHAND_PORT`: where we listen."""

    host: str = "127.0.0.1"
    port: int = 8010


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineSettings:
    """`[engine]`: for several replicas, and for tests of crashes."""

    name: str = ""
    """This replica's stable name; empty: the machine's name."""
    lease_seconds: float = 30.0
    """How long a replica that does not answer keeps its work."""
    failpoint: str = ""
    """`NAME:N` kills the process at the Nth time it reaches the point; only for tests."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AdapterSettings:
    """What one adapter is told."""

    environment: Mapping[str, str]
    options: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Everything, read once."""

    home: Path
    database_url: str
    """Empty: SQLite under `home`."""
    secret_key: str
    """Fernet keys, comma-separated, the newest first; empty: one is made in `home`."""
    web: Web
    access: Access
    limits: Limits
    engine: EngineSettings
    profiles: tuple[Profile, ...]
    """The first one is the default."""
    agents: Mapping[str, AgentSettings]
    """`default` is always there."""
    adapters: Mapping[str, AdapterSettings]
    """Those that are turned on."""
    keys: Mapping[str, str]
    """Provider keys by the name of their variable."""
    log_format: Literal["text", "json"] = "text"
    log_level: str = "info"
