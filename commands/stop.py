"""`/stop`: cancel what runs in this conversation."""

from __future__ import annotations

from bot.command import Command, Invocation, Outcome, StopRun
from bot.replies import Reply
from commands import texts


async def stop(invocation: Invocation) -> Outcome:
    """Cancel what runs, or what waits when nothing runs."""
    facts = await invocation.desk.thread(invocation.thread_id)
    if not facts.running and not facts.queued:
        return Outcome(reply=Reply(text=texts.NOTHING_RUNS))
    text = texts.stopping(facts.queued) if facts.running else texts.dropped(facts.queued)
    return Outcome(reply=Reply(text=text), effects=(StopRun(),))


COMMAND = Command(name="stop", summary="Stop what I am doing here.", handler=stop)
