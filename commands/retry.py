"""`/retry`: answer the last message again."""

from __future__ import annotations

from bot.command import Command, Invocation, Lane, Outcome, Rerun


async def retry(invocation: Invocation) -> Outcome:
    """Answer again; the answer itself is the reply."""
    return Outcome(effects=(Rerun(),))


COMMAND = Command(name="retry", summary="Answer the last message again.", handler=retry, lane=Lane.THREAD)
