"""Hook: something that watches or changes a run. One file in `agent/hooks/` offers one."""

from __future__ import annotations

from agent.model import Call, Request
from agent.said import Said
from agent.tool import ToolResult
from agent.turn import Turn
from bot.seat import Seat
from bot.work import RunOutcome


class Hook:
    """Every method defaults to doing nothing; one that takes a value returns the value to go on with.

    Hooks lie around the model and the tools like shells. The outermost one sees a request or a call first, and an
    answer or a result last.
    """

    name: str
    seats: tuple[Seat, ...] = ()
    """What it decides; appendix 1 of the seats says where that has its place."""
    after: tuple[str, ...] = ()
    """Hooks that lie further out, where they exist."""
    before: tuple[str, ...] = ()
    """Hooks that lie further in, where they exist."""

    async def before_model(self, turn: Turn, request: Request) -> Request:
        return request

    async def after_model(self, turn: Turn, said: Said) -> Said:
        return said

    async def before_tool(self, turn: Turn, call: Call) -> Call | ToolResult:
        """Return the call to carry out, or the result that stands in its place."""
        return call

    async def after_tool(self, turn: Turn, call: Call, result: ToolResult) -> ToolResult:
        return result

    async def on_end(self, turn: Turn, outcome: RunOutcome) -> None:
        """See how the run ended, before that is committed."""
