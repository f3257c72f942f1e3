"""Which tools a run has: those that exist, of these the allowed ones, of these the exposed ones (mechanism K4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import structlog

from agent.tool import Tool

_log = structlog.get_logger(__name__)


def existing(*groups: Iterable[Tool]) -> tuple[Tool, ...]:
    """Return all tools in order; of two with one name the first wins, with a warning."""
    found: dict[str, Tool] = {}
    for group in groups:
        for tool in group:
            if tool.name in found:
                _log.warning("tool_name_taken", tool=tool.name)
            else:
                found[tool.name] = tool
    return tuple(found.values())


def allowed(tools: Iterable[Tool], names: Collection[str] | None) -> tuple[Tool, ...]:
    """Return the tools that an agent's settings let it use; None lets it use all."""
    tools = tuple(tools)
    if names is None:
        return tools
    for name in sorted(set(names) - {tool.name for tool in tools}):
        _log.warning("tool_unknown", tool=name)
    return tuple(tool for tool in tools if tool.name in names)


def exposed(tools: Iterable[Tool], *, model_uses_tools: bool) -> tuple[Tool, ...]:
    """Return the tools that the model is told of."""
    return tuple(tools) if model_uses_tools else ()
