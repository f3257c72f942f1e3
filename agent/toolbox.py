"""Toolbox: carries out the calls of one answer, side by side, each with a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import orjson
import structlog

from agent import schema, texts
from agent.hook import Hook
from agent.items import ToolItem, storable
from agent.model import Call, ToolSpec
from agent.racing import Overtaken, before
from agent.record import idem_key
from agent.schema import WrongArguments
from agent.tool import Tool, ToolContext, ToolResult
from agent.tool_errors import error_result
from agent.turn import Turn
from bot.clock import Clock
from bot.seat import decided

_log = structlog.get_logger(__name__)


class Toolbox:
    """The tools of one run, behind its hooks."""

    def __init__(self, tools: Iterable[Tool], hooks: Sequence[Hook], *, seconds: float, clock: Clock) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._hooks = hooks
        self._seconds = seconds
        self._clock = clock

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    def has_effect(self, call: Call) -> bool:
        """Say whether the call would be carried out, and must not be carried out twice."""
        tool = self._tools.get(call.name)
        if tool is None or tool.idempotent:
            return False
        try:
            schema.read(tool.arguments, arguments(call))
        except WrongArguments:
            return False
        return True

    async def run_all(self, turn: Turn, calls: Sequence[Call]) -> tuple[ToolItem, ...]:
        """Return a result for every call, in the order of the calls."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._run(turn, call)) for call in calls]
        return tuple(task.result() for task in tasks)

    async def _run(self, turn: Turn, call: Call) -> ToolItem:
        result = await self._past_hooks(turn, call)
        for hook in reversed(self._hooks):
            result = await hook.after_tool(turn, call, result)
        return item(call, result)

    async def _past_hooks(self, turn: Turn, call: Call) -> ToolResult:
        """Let the hooks see the call; one of them may answer in the tool's place."""
        for hook in self._hooks:
            seen = await hook.before_tool(turn, call)
            if isinstance(seen, ToolResult):
                return seen
            call = seen
        return await self._carry_out(turn, call)

    async def _carry_out(self, turn: Turn, call: Call) -> ToolResult:
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult(text=texts.unknown_tool(call.name, sorted(self._tools)), error=True)
        try:
            given = arguments(call)
        except WrongArguments as error:
            return error_result(call.name, error)
        context = replace(turn.plan.context, idem_key=idem_key(turn.thread.claim, call))
        try:
            return await before(turn.live.wait_cancelled(), self._in_time(tool, context, given))
        except Overtaken:
            text = texts.CALL_STOPPED if tool.idempotent else f"{texts.CALL_STOPPED} {texts.UNKNOWN_OUTCOME}"
            return ToolResult(text=text, error=True)

    async def _in_time(self, tool: Tool, context: ToolContext, given: dict[str, Any]) -> ToolResult:
        seconds = self._seconds if tool.seconds is None else tool.seconds
        try:
            return await before(self._clock.sleep(seconds), _guarded(tool, context, given))
        except Overtaken:
            decided("E1", outcome="error result", because=f"{tool.name} did not end within {seconds:g} s")
            text = texts.too_slow(seconds)
            return ToolResult(text=text if tool.idempotent else f"{text} {texts.UNKNOWN_OUTCOME}", error=True)


async def _guarded(tool: Tool, context: ToolContext, given: dict[str, Any]) -> ToolResult:
    try:
        return await tool.call(context, given)
    except Exception as error:  # noqa: BLE001  (the boundary of a tool, seat E1: one fault ends one call, in words)
        result = error_result(tool.name, error)
        _log.info("tool_failed", tool=tool.name, run=context.run_id, because=result.text, exc_info=error)
        return result


def arguments(call: Call) -> dict[str, Any]:
    """Return the arguments of a call, none for an empty text; raises `WrongArguments`."""
    if not call.arguments.strip():
        return {}
    try:
        value = orjson.loads(call.arguments)
    except orjson.JSONDecodeError as error:
        raise WrongArguments(f"they are no JSON ({error})") from error
    if not isinstance(value, dict):
        raise WrongArguments("they must be a JSON object")
    return value


def item(call: Call, result: ToolResult) -> ToolItem:
    """Return a result as it is stored."""
    text = storable(result.text)
    return ToolItem(call_id=call.id, name=call.name, text=text, error=result.error, files=result.files)
