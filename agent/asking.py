"""Asking: one model call of a run, past the hooks, with a preview, and once more in a smaller window."""

from __future__ import annotations

from agent import window
from agent.crew import Crew
from agent.ending import End, failed, stopped
from agent.items import storable
from agent.model import Answer, ProviderError, Request, SystemMessage
from agent.models._failures import OVERFLOW, one_code
from agent.ports import Live
from agent.racing import Overtaken, before
from agent.said import Said, with_own_ids
from agent.thread import call_ids
from agent.turn import Turn


class Preview:
    """The answer as far as it has come."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self.text = ""

    def add(self, piece: str) -> None:
        self.text += storable(piece)
        self._live.show(self.text)

    def clear(self) -> None:
        """Forget the pieces of an attempt that failed."""
        self.text = ""


async def ask(turn: Turn, crew: Crew) -> Said | End:
    """Return what the model says to the conversation so far, or how the run ends without that."""
    turn.step += 1
    preview = Preview(turn.live)
    try:
        answer = await before(turn.live.wait_cancelled(), _answer(turn, crew, preview))
    except Overtaken:
        return stopped(preview.text)
    except ProviderError as error:
        turn.thread.usage.extend(error.spent)
        return failed(error)
    turn.thread.usage.append(answer.usage)
    said = with_own_ids(Said.of(answer), call_ids(turn.thread.items))
    for hook in reversed(crew.hooks):
        said = await hook.after_model(turn, said)
    return said


async def _answer(turn: Turn, crew: Crew, preview: Preview) -> Answer:
    """Ask; where the request is too long, ask once more with much less of the conversation, once in a run."""
    try:
        return await _ask_once(turn, crew, preview)
    except ProviderError as error:
        if turn.shrunk or not _too_long(error):
            raise
        turn.thread.usage.extend(error.spent)
    turn.shrink()
    preview.clear()
    return await _ask_once(turn, crew, preview)


async def _ask_once(turn: Turn, crew: Crew, preview: Preview) -> Answer:
    request = await _request(turn, crew)
    return await crew.caller.ask(turn.plan.model, request, preview.add, blanks=turn.blanks, on_again=preview.clear)


async def _request(turn: Turn, crew: Crew) -> Request:
    plan = turn.plan
    system = tuple(SystemMessage(text=part) for part in plan.system)
    request = Request(
        messages=(*system, *window.messages(window.fit(turn.thread.items, turn.space))),
        tools=crew.toolbox.specs,
        thinking=plan.thinking,
        effort=plan.effort,
        temperature=plan.temperature,
        max_tokens=plan.max_tokens,
    )
    for hook in crew.hooks:
        request = await hook.before_model(turn, request)
    return request


def _too_long(error: ProviderError) -> bool:
    words = f"{error} {error.__cause__ or ''}"
    return one_code(error.code, words) == OVERFLOW
