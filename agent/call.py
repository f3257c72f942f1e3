"""Ask a model with the policy of seat C2, and once more where it said nothing (the boundary of seat C3)."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from agent import model_texts as texts
from agent.model import Answer, Model, ProviderError, Request
from agent.models._failures import OVERFLOW
from agent.provider_errors import LONGEST_WAIT, Again, Circuit, GiveUp, Reason, Uniform, decide_retry
from bot.clock import Clock
from bot.seat import decided
from bot.work import Usage

_log = structlog.get_logger(__name__)

_NATURAL_ENDS = frozenset({"", "stop", "end_turn", "none"})


@dataclass(kw_only=True, slots=True)
class Blanks:
    """How many answers without a word may still be asked again in one run (seat C3)."""

    left: int = 1


@dataclass(kw_only=True, slots=True)
class _Shown:
    """What the room has seen of this call: pieces of an attempt that failed must not stay before those of the next."""

    on_text: Callable[[str], None]
    on_again: Callable[[], None] | None
    pieces: int = 0
    muted: bool = False

    def text(self, piece: str) -> None:
        if not self.muted:
            self.pieces += 1
            self.on_text(piece)

    def start_again(self) -> None:
        if self.pieces and self.on_again is not None:
            self.on_again()
            self.pieces = 0
        self.muted = self.pieces > 0


class Caller:
    """The one way to ask a model; its circuits and its cap count over the whole process."""

    def __init__(self, *, clock: Clock, calls_at_once: int = 0, uniform: Uniform = random.uniform) -> None:
        self._clock = clock
        self._uniform = uniform
        self._circuits: defaultdict[str, Circuit] = defaultdict(Circuit)
        self._cap = asyncio.Semaphore(calls_at_once) if calls_at_once > 0 else None

    async def ask(
        self,
        model: Model,
        request: Request,
        on_text: Callable[[str], None],
        *,
        blanks: Blanks | None = None,
        on_again: Callable[[], None] | None = None,
    ) -> Answer:
        """Return an answer, or raise a final `ProviderError` that is a sentence for people.

        `on_again` is called before a further attempt when pieces were shown; without it the pieces of further attempts
        are not shown. `blanks` is the run's; without it each call may be asked again once. A blank answer that remains
        is returned.
        """
        blanks = blanks or Blanks()
        shown = _Shown(on_text=on_text, on_again=on_again)
        spent: list[Usage] = []
        while True:
            try:
                answer = await self._through_circuit(model, request, shown)
            except ProviderError as error:
                error.spent = tuple(spent)
                raise
            spent.append(answer.usage)
            if not is_blank(answer) or blanks.left <= 0:
                return replace(answer, usage=total(spent))
            blanks.left -= 1
            decided("C2", outcome="retry", because="empty: the answer holds neither text nor a call")
            shown.start_again()

    async def _through_circuit(self, model: Model, request: Request, shown: _Shown) -> Answer:
        circuit = self._circuits[model.name]
        if not circuit.admit(self._clock.monotonic()):
            decided("C2", outcome="not asked", because="the circuit is open")
            raise ProviderError(texts.PAUSED.format(model=model.name), kind="circuit")
        try:
            answer = await self._attempts(model, request, shown, circuit)
        except ProviderError:
            raise
        except BaseException:
            circuit.unknown()
            raise
        circuit.answered()
        return answer

    async def _attempts(self, model: Model, request: Request, shown: _Shown, circuit: Circuit) -> Answer:
        attempt, waited = 1, 0.0
        while True:
            try:
                answer = await self._once(model, request, shown)
            except ProviderError as error:
                next_ = decide_retry(error, attempt, waited=waited, uniform=self._uniform)
                if isinstance(next_, GiveUp):
                    raise self._final(model, error, next_, circuit) from error
                self._note(model, error, next_, attempt)
                waited = next_.seconds
            else:
                if attempt > 1:
                    decided("C2", outcome="answered", because=f"attempt {attempt}")
                return answer
            await self._clock.sleep(waited)
            shown.start_again()
            attempt += 1

    async def _once(self, model: Model, request: Request, shown: _Shown) -> Answer:
        async with self._cap or contextlib.nullcontext():
            return await model.ask(request, shown.text)

    def _note(self, model: Model, error: ProviderError, again: Again, attempt: int) -> None:
        because = f"{again.reason}: {error}, attempt {attempt}, again in {again.seconds:.1f} s"
        decided("C2", outcome="retry", because=because)
        _log.warning("model_call_again", model=model.name, attempt=attempt, seconds=again.seconds, **_facts(error))

    def _final(self, model: Model, error: ProviderError, give_up: GiveUp, circuit: Circuit) -> ProviderError:
        if give_up.reason.passes:
            circuit.exhausted(self._clock.monotonic())
        else:
            circuit.answered()
        decided("C2", outcome="give up", because=give_up.because)
        _log.warning("model_call_failed", model=model.name, because=give_up.because, **_facts(error))
        return ProviderError(
            sentence(model.name, error, give_up.reason),
            kind=error.kind,
            status=error.status,
            code=error.code,
            retry_after=error.retry_after,
        )


def is_blank(answer: Answer) -> bool:
    """Say whether a model that came to its natural end said nothing and asked for nothing."""
    return not answer.text.strip() and not answer.calls and answer.finish.lower() in _NATURAL_ENDS


def total(spent: Sequence[Usage]) -> Usage:
    """Return what several calls of one model took together."""
    return Usage(
        model=spent[-1].model,
        tokens_in=sum(one.tokens_in for one in spent),
        tokens_out=sum(one.tokens_out for one in spent),
        tokens_cached=sum(one.tokens_cached for one in spent),
        cost_usd=sum(one.cost_usd for one in spent),
    )


def sentence(model: str, error: ProviderError, reason: Reason) -> str:
    """Return what people are told about a final failure."""
    if error.code == OVERFLOW:
        return texts.TOO_LONG.format(model=model)
    if reason.passes and error.retry_after is not None and error.retry_after > LONGEST_WAIT:
        return texts.WAIT.format(model=model, minutes=texts.minutes(error.retry_after))
    if error.kind == "empty":
        return texts.EMPTY.format(model=model)
    return _SENTENCES.get(reason, texts.UNAVAILABLE).format(model=model)


_SENTENCES = {
    Reason.QUOTA: texts.QUOTA,
    Reason.AUTH: texts.AUTH,
    Reason.BURST: texts.BURST,
    Reason.GENERIC: texts.REFUSED,
}


def _facts(error: ProviderError) -> dict[str, object]:
    return {"kind": error.kind, "status": error.status, "code": error.code, "words": str(error)}
