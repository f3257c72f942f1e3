"""Work out arithmetic exactly."""

from __future__ import annotations

from agent.arithmetic import NotArithmetic, evaluate
from agent.tool import ToolContext, ToolResult, TryAgain, tool


async def calculate(context: ToolContext, expression: str) -> ToolResult:
    """Work out an arithmetic expression. Use it for every calculation instead of doing it in your head.

    It knows + - * / // % ** and parentheses, pi, e, and the functions abs, ceil, cos, exp, floor, log, log10, log2,
    max, min, round, sin, sqrt, tan.

        expression: For example (1200 - 250) * 1.19
    """
    try:
        value = evaluate(expression)
    except NotArithmetic as error:
        raise TryAgain(str(error)) from error
    return ToolResult(text=_shown(value))


def _shown(value: int | float) -> str:
    """Return the number without the last digits, which binary fractions get wrong."""
    if isinstance(value, int):
        return str(value)
    return format(value, ".15g")


TOOL = tool(calculate, idempotent=True)
