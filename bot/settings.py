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
    """How many messages of other bots are answered in that time."""
    bot_window_seconds: float = 60.0
    """That time."""
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
    """What all people of one room together may say in one minute."""
    text_characters: int = 100_000
    """A longer message is cut, and says so."""
    runs_at_once: int = 100
    """Runs in one process; further ones wait."""
    runs_per_claim: int = 5
    """A thread yields to others after this many runs in a row."""
    attempts: int = 5
    """A run that crashed this often is given up with an apology."""
    steps: int = 100
    """Model calls in one run (seat F1)."""
    steps_most: int = 1000
    """No agent may ask for more."""
    steps_unattended: int = 250
    """At least so many where nobody watches a room live."""
    tool_seconds: float = 120.0
    """How long one tool call may take."""
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
    """Whether the model can think before it answers, or cannot do without."""
    on_disable_request: Literal["force_on", "reject"] = "force_on"
    """What happens when somebody turns off what is required."""
    efforts: tuple[str, ...] = ()
    """The words it knows; empty: it has no effort."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other words for these."""
    default_effort: str = ""
    """The word when nobody chose one."""
    legacy_efforts: bool = False
    """Pass minimal, low, medium and high as they are."""
    when_enabled: Mapping[str, Any] = field(default_factory=dict)
    """Added to the request when thinking is on (seat A3)."""
    when_disabled: Mapping[str, Any] = field(default_factory=dict)
    """Added to the request when thinking is off."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """`[[models]]`: one model, as data."""

    name: str
    """What `/model` and agents call it."""
    provider: str
    """`openai` for every OpenAI-compatible address, `scripted`, `local`, else a provider that litellm knows."""
    model: str
    """The provider's own name of it."""
    title: str = ""
    """What people read; empty: the provider's name of it."""
    base_url: str = ""
    """Where it is asked; empty: the provider's own address."""
    key_variable: str = ""
    """The environment variable that holds the key."""
    context_tokens: int = 128_000
    """How much it can read at once."""
    max_tokens: int | None = None
    """How much it may answer at most; unset: what the provider allows."""
    temperature: float | None = None
    """Unset: the provider's default."""
    vision: bool = False
    """It can look at images."""
    tools: bool = True
    """It can call tools."""
    thinking: Thinking = field(default_factory=Thinking)
    """A table of its own, `[models.thinking]`."""
    usd_in: float = 0.0
    """Per million tokens in."""
    usd_out: float = 0.0
    """Per million tokens out."""
    usd_cached: float | None = None
    """Per million tokens read from the provider's cache; None: as `usd_in`."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request, as they are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentSettings:
    """`[agents.NAME]`: a persona."""

    name: str
    instructions: str = ""
    """What it is told about itself, before every conversation."""
    model: str = ""
    """A name of `[[models]]`; empty: the first one."""
    thinking: bool | None = None
    """Whether it thinks before it answers; unset: as the model does."""
    effort: str | None = None
    """How hard; a word that the model knows."""
    temperature: float | None = None
    """Instead of the model's."""
    max_tokens: int | None = None
    """Instead of the model's."""
    tools: tuple[str, ...] | None = None
    """Names of the tools it may use; None means all."""
    steps: int | None = None
    """Model calls in one run; unset: `limits.steps`."""


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
