"""Thinking on or off, as fields of the request (the templates of seat A3). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.model import Request
from bot.settings import Profile, Thinking


def thinking_fields(request: Request, profile: Profile) -> dict[str, Any]:
    """Return what the profile's template adds for this request, with the effort where the model knows one."""
    contract = profile.thinking
    if contract.support == "none":
        return {}
    fields = dict(contract.when_enabled) if request.thinking else _off(contract)
    if request.effort and knows_effort(contract, request.effort):
        fields["reasoning_effort"] = request.effort
    return fields


def knows_effort(contract: Thinking, effort: str) -> bool:
    """Say whether the provider may be sent this word."""
    legacy = contract.legacy_efforts and effort in LEGACY_EFFORTS
    return legacy or effort in contract.efforts


LEGACY_EFFORTS = ("minimal", "low", "medium", "high")


def _off(contract: Thinking) -> dict[str, Any]:
    """Return the explicit template, else the opposite of what the other template turns on, in its own dialect."""
    if contract.when_disabled:
        return dict(contract.when_disabled)
    on = contract.when_enabled
    body = _mapping(on.get("extra_body"))
    if _mapping(body.get("thinking")).get("type"):
        effort = {"reasoning_effort": "minimal"} if knows_effort(contract, "minimal") else {}
        return {"extra_body": {"thinking": {"type": "disabled"}}, **effort}
    for place, nested in ((on, False), (body, True)):
        template = _mapping(place.get("chat_template_kwargs"))
        if switches := {name: False for name in ("thinking", "enable_thinking") if name in template}:
            fields = {"chat_template_kwargs": switches}
            return {"extra_body": fields} if nested else fields
    return {"thinking": {"type": "disabled"}} if _mapping(on.get("thinking")).get("type") else {}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
