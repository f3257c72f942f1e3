"""A model without a provider: for tests and demos.

With a script (`lines`, or `extra.script` of its profile) it gives the script's answers in order. Without one it makes
its answer out of the conversation alone, so that a run which is taken up again after a crash gets the same answers:
`answer to <the last message>`, in which these directives are obeyed and left out:

    #tool NAME {JSON}      call a tool; each further `#tool` is called in a further step
    #and NAME {JSON}       call it together with the one before
    #long N                an answer of N words
    #say TEXT              exactly this answer, to the end of the line
    #blank                 an answer without a word
    #finish WORD           end with this finish word, such as `length` or `content_filter`
    #fail STATUS [CODE]    fail as a provider would
    #delay SECONDS         wait before the answer
    #pace SECONDS          wait before each word

Once the tools of a message are done, the answer ends with their results. `extra.pace` sets the pace of a demo.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.model import Answer, Call, Message, ProviderError, Request
from agent.models._directives import Line, line_for
from agent.models._usage import cost
from agent.provider import Provider, Supplies
from bot.errors import SettingsError
from bot.settings import Profile
from bot.work import Usage


class ScriptedModel:
    """Answers from a script, or from the conversation."""

    def __init__(self, profile: Profile, supplies: Supplies, *, lines: Sequence[Line] | None = None) -> None:
        self._profile = profile
        self._clock = supplies.clock
        self._lines = None if lines is None else list(lines)
        self._pace = float(profile.extra.get("pace", 0.0))
        self.requests: list[Request] = []
        """What it was asked, in order."""

    @property
    def name(self) -> str:
        return self._profile.name

    async def ask(self, request: Request, on_text: Callable[[str], None]) -> Answer:
        self.requests.append(request)
        line = self._next(request)
        if line.delay:
            await self._clock.sleep(line.delay)
        if line.fail is not None:
            raise line.fail
        for word in re.findall(r"\s*\S+\s*$|\s*\S+", line.text):
            await self._wait(line.pace or self._pace)
            on_text(word)
        return Answer(text=line.text, calls=line.calls, finish=line.word, usage=self._usage(request, line))

    async def close(self) -> None:
        """Nothing is open."""

    def _next(self, request: Request) -> Line:
        if self._lines is None:
            return line_for(request)
        if not self._lines:
            raise ProviderError("the script is at its end", kind="http", status=400, code="script_ended")
        return self._lines.pop(0)

    async def _wait(self, seconds: float) -> None:
        if seconds:
            await self._clock.sleep(seconds)
        else:
            # Others must get their turn, as they do while a real answer streams.
            await asyncio.sleep(0)

    def _usage(self, request: Request, line: Line) -> Usage:
        tokens_in = sum(map(_words, request.messages))
        tokens_out = len(line.text.split()) + sum(len(call.arguments.split()) + 1 for call in line.calls)
        usd = cost(self._profile, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=0)
        return Usage(model=self._profile.name, tokens_in=tokens_in, tokens_out=tokens_out, cost_usd=usd)


def _words(message: Message) -> int:
    return 1 + len(message.text.split())


def read_script(raw: Sequence[Mapping[str, Any]]) -> tuple[Line, ...]:
    """Return the lines of a script as `bot.toml` has it; raises `SettingsError`.

    Each is a table of `text`, `calls` (tables of `id`, `name`, `arguments`), `finish`, `delay`, `pace`, `status` and
    `code`.
    """
    try:
        return tuple(map(_line, raw))
    except (KeyError, TypeError, ValueError) as exc:
        raise SettingsError(f"the script of a scripted model is wrong: {exc!r}") from exc


def _line(raw: Mapping[str, Any]) -> Line:
    entry = _Entry(**raw)
    calls = tuple(
        Call(id=str(call.get("id", f"call_{n}")), name=str(call["name"]), arguments=str(call.get("arguments", "{}")))
        for n, call in enumerate(entry.calls, start=1)
    )
    fail = None
    if entry.status:
        fail = ProviderError(
            entry.text or f"scripted {entry.status}", kind="http", status=entry.status, code=entry.code
        )
    return Line(text=entry.text, calls=calls, finish=entry.finish, delay=entry.delay, pace=entry.pace, fail=fail)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    text: str = ""
    calls: Sequence[Mapping[str, Any]] = ()
    finish: str = ""
    delay: float = 0.0
    pace: float = 0.0
    status: int = 0
    code: str = ""


def build(profile: Profile, supplies: Supplies) -> ScriptedModel:
    """Return the scripted model of a profile."""
    script = profile.extra.get("script")
    return ScriptedModel(profile, supplies, lines=None if script is None else read_script(script))


MODEL = Provider(name="scripted", build=build)
