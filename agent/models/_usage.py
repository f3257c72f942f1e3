"""What a call took and what it cost, from the provider's own counts. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.settings import Profile
from bot.work import Usage


def usage(raw: Mapping[str, Any], profile: Profile) -> Usage:
    """Return the usage that an answer reports; what it does not report counts as nothing."""
    tokens_in = _count(raw, "prompt_tokens", "input_tokens")
    tokens_out = _count(raw, "completion_tokens", "output_tokens")
    cached = min(_cached(raw), tokens_in)
    return Usage(
        model=profile.name,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=cached,
        cost_usd=cost(profile, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=cached),
    )


def cost(profile: Profile, *, tokens_in: int, tokens_out: int, tokens_cached: int) -> float:
    """Return the price in dollars; prices are per million tokens."""
    usd_cached = profile.usd_in if profile.usd_cached is None else profile.usd_cached
    fresh = (tokens_in - tokens_cached) * profile.usd_in
    return (fresh + tokens_cached * usd_cached + tokens_out * profile.usd_out) / 1_000_000


def _cached(raw: Mapping[str, Any]) -> int:
    for name in ("prompt_tokens_details", "input_tokens_details"):
        details = raw.get(name)
        if isinstance(details, Mapping) and (count := _count(details, "cached_tokens")):
            return count
    # DeepSeek reports it beside the total: https://api-docs.deepseek.com/guides/kv_cache
    return _count(raw, "prompt_cache_hit_tokens")


def _count(raw: Mapping[str, Any], *names: str) -> int:
    for name in names:
        value = raw.get(name)
        if isinstance(value, int) and value > 0:
            return value
    return 0
