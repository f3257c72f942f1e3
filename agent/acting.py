"""Acting: the calls of one answer, with the commits around them, and what a crash left of them."""

from __future__ import annotations

from agent import texts
from agent.crew import Crew
from agent.items import AssistantItem
from agent.said import Said
from agent.tool import ToolResult
from agent.toolbox import item
from agent.turn import Turn


async def act(turn: Turn, crew: Crew, said: Said) -> None:
    """Carry out the calls of an answer; those that must not be repeated are recorded before they begin."""
    turn.thread.add(AssistantItem(text=said.text, calls=said.calls, model=turn.plan.model.name))
    effects = [call for call in said.calls if crew.toolbox.has_effect(call)]
    begun = await crew.recorder.step(turn.thread, intents=effects) if effects else ()
    turn.thread.add(*await crew.toolbox.run_all(turn, said.calls))
    await crew.recorder.step(turn.thread, ended=begun)


async def resume(turn: Turn, crew: Crew) -> None:
    """Complete the step in which an earlier try of the run broke off: what may be repeated is done now."""
    left = turn.thread.unanswered
    if not left:
        return
    begun = {intent.body.get("call_id") for intent in turn.thread.claim.intents}
    again = [call for call in left if call.id not in begun and not crew.toolbox.has_effect(call)]
    results = {result.call_id: result for result in await crew.toolbox.run_all(turn, again)}
    unknown = ToolResult(text=texts.UNKNOWN_OUTCOME, error=True)
    turn.thread.add(*(results.get(call.id) or item(call, unknown) for call in left))
    await crew.recorder.step(turn.thread, ended=tuple(intent.key for intent in turn.thread.claim.intents))
