"""Run: one pass of the agent over a thread: prepare, loop, finish (mechanism K16)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from agent.arrivals import Hold, arrive, unfetched
from agent.call import Caller
from agent.crew import Crew
from agent.ending import End, refused, stopped
from agent.folder import ThreadFolder
from agent.handing_over import reply_of
from agent.hook import Hook
from agent.items import AssistantItem
from agent.loop import loop
from agent.outcome import outcome_of
from agent.ports import Live, Place, Ports
from agent.prepare import NotReady, Stock, check_budget, prepare
from agent.record import Closing, Recorder
from agent.thread import Thread
from agent.toolbox import Toolbox
from agent.turn import Turn
from bot.replies import Part, Reply
from bot.work import Claim, Finished

LONG_TEXT = 4000
"""Characters; shorter texts are rendered on the spot."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Workshop:
    """What every run is worked on with."""

    ports: Ports
    stock: Stock
    caller: Caller
    hooks: Sequence[Hook]
    """From the outside in."""


async def run(claim: Claim, live: Live, shop: Workshop, recorder: Recorder) -> Finished:
    """Work on a claim up to its committed end. Raises `Fenced` and `StorageBusy`."""
    thread, place = Thread.of(claim), shop.ports.places(claim.room)
    if claim.cancelled:
        return await _never_begun(thread, place, shop, recorder, stopped(""))
    try:
        turn, crew = await _begin(thread, live, place, shop, recorder)
    except NotReady as error:
        return await _never_begun(thread, place, shop, recorder, refused(str(error), error=error.error))
    end = await loop(turn, crew)
    return await _finish(turn, crew, place, end)


async def _begin(thread: Thread, live: Live, place: Place, shop: Workshop, recorder: Recorder) -> tuple[Turn, Crew]:
    ports, settings = shop.ports, shop.stock.settings
    if not thread.own:
        await check_budget(ports.budget, settings.limits.usd_per_day, ports.clock.now())
    prepared = prepare(thread.claim, place, shop.stock, ports.clock)
    toolbox = Toolbox(prepared.tools, shop.hooks, seconds=settings.limits.tool_seconds, clock=ports.clock)
    crew = Crew(caller=shop.caller, toolbox=toolbox, hooks=shop.hooks, recorder=recorder)
    turn = Turn(thread=thread, live=live, plan=prepared.plan, space=prepared.space, step=thread.asked)
    if not thread.own:
        thread.add(*await arrive(thread.claim.events, _hold(thread.claim, place, turn, ports), live))
    return turn, crew


def _hold(claim: Claim, place: Place, turn: Turn, ports: Ports) -> Hold:
    return Hold(
        fetcher=place.fetcher,
        folder=turn.plan.context.folder,
        limit=place.capabilities.max_fetch_bytes,
        key=f"{claim.run_id}-{claim.fence}",
        clock=ports.clock,
    )


async def _finish(turn: Turn, crew: Crew, place: Place, end: End) -> Finished:
    """Add the last words, tell the hooks, and commit the end."""
    thread = turn.thread
    thread.add(AssistantItem(text=end.text, model=turn.plan.model.name, error_fallback=end.error_fallback))
    outcome = outcome_of(thread.own, cancelled=end.cancelled)
    for hook in crew.hooks:
        await hook.on_end(turn, outcome)
    reply = await _reply(end.text, thread, turn.plan.context.folder)
    parts = await _rendered(reply, place)
    closing = Closing(outcome=outcome, parts=parts, stop_reason=end.stop_reason, error=end.error)
    return await crew.recorder.finish(thread, closing)


async def _never_begun(thread: Thread, place: Place, shop: Workshop, recorder: Recorder, end: End) -> Finished:
    """Commit the end of a run for which nothing was built (mechanism K18)."""
    if not thread.own:
        thread.add(*unfetched(thread.claim.events))
    thread.add(AssistantItem(text=end.text, error_fallback=end.error_fallback))
    outcome = outcome_of(thread.own, cancelled=end.cancelled)
    folder = ThreadFolder.of(shop.stock.settings.home, thread.claim.thread_id)
    reply = await _reply(end.text, thread, folder)
    closing = Closing(outcome=outcome, parts=place.render(reply), error=end.error)
    return await recorder.finish(thread, closing)


async def _rendered(reply: Reply, place: Place) -> tuple[Part, ...]:
    """Render the reply; a long one takes a tenth of a second and more, so it is rendered beside the loop."""
    if len(reply.text) < LONG_TEXT:
        return place.render(reply)
    return await asyncio.to_thread(place.render, reply)


async def _reply(text: str, thread: Thread, folder: ThreadFolder) -> Reply:
    """Return the reply; only where there are files does it have to look at the disk."""
    if not thread.files:
        return reply_of(text, (), folder)
    return await asyncio.to_thread(reply_of, text, thread.files, folder)
