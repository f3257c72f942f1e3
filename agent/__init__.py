"""The agent: works on conversation, one run at a time, and holds nothing between runs."""

from __future__ import annotations

from collections.abc import Iterable

from agent import hooks, tools
from agent.call import Caller
from agent.hook import Hook
from agent.ports import Live, ModelSource, Ports
from agent.prepare import Stock
from agent.record import Recorder
from agent.run import Workshop, run
from agent.tool import Tool
from agent.toolset import existing
from bot.registry import discover
from bot.seat import journal
from bot.settings import Settings
from bot.work import Claim, Finished


class Agent:
    """The one class that outsiders hold."""

    def __init__(
        self, *, settings: Settings, ports: Ports, models: ModelSource, caller: Caller, more_tools: Iterable[Tool] = ()
    ) -> None:
        """Use these tools besides those of `agent/tools/`; of two with one name ours wins."""
        self._ports = ports
        self._shop = Workshop(
            ports=ports,
            stock=Stock(
                settings=settings,
                models=models,
                tools=existing(discover(tools, "TOOL", Tool).values(), more_tools),
            ),
            caller=caller,
            hooks=hooks.ordered(discover(hooks, "HOOK", Hook).values()),
        )

    async def run(self, claim: Claim, live: Live) -> Finished:
        """Work on a claim up to its committed end. Raises `Fenced` and `StorageBusy`."""
        with journal() as decisions:
            recorder = Recorder(steps=self._ports.steps, clock=self._ports.clock, decisions=decisions)
            return await run(claim, live, self._shop, recorder)
