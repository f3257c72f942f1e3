from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from structlog.testing import capture_logs

from agent.call import Blanks, Caller
from agent.model import Answer, ProviderError, Request
from agent.models._directives import Line
from agent.models.openai import build
from agent.models.scripted import ScriptedModel
from bot.seat import Decision, journal
from bot.work import Usage
from tests.support.models import PatientClock, a_profile, a_request, a_tool, supplies
from tests.support.openai_stub import OpenAIStub, refuses, says


def fails(status: int | None = 503, *, words: str = "no", kind: str = "http", **facts: Any) -> Line:
    return Line(fail=ProviderError(words, kind=kind, status=status, **facts))


class Desk:
    """A caller with a scripted model, and what became of it."""

    def __init__(self, lines: Sequence[Line], *, calls_at_once: int = 0) -> None:
        self.clock = PatientClock()
        self.model = ScriptedModel(a_profile(usd_out=1.0), supplies(clock=self.clock), lines=lines)
        self.caller = Caller(clock=self.clock, calls_at_once=calls_at_once, uniform=lambda low, high: low)
        self.shown: list[str] = []
        self.decisions: list[Decision] = []

    async def ask(self, **options: Any) -> Answer:
        with journal() as decisions:
            try:
                return await self.caller.ask(self.model, a_request(), self.shown.append, **options)
            finally:
                self.decisions += decisions

    async def error(self, **options: Any) -> ProviderError:
        with pytest.raises(ProviderError) as caught:
            await self.ask(**options)
        return caught.value

    @property
    def outcomes(self) -> list[tuple[str, str]]:
        return [(decision.seat, decision.outcome) for decision in self.decisions]


async def test_c2_three_503_are_three_attempts_and_a_friendly_sentence() -> None:
    desk = Desk([fails(words="upstream connect error"), fails(), fails()])
    with capture_logs() as logs:
        error = await desk.error()
    assert len(desk.model.requests) == 3
    assert desk.clock.slept == [1.0, 1.0]
    assert (
        str(error)
        == "I could not answer: the model “first” is not available at the moment. Please try again in a minute."
    )
    assert (error.kind, error.status) == ("http", 503)
    assert desk.outcomes == [("C2", "retry"), ("C2", "retry"), ("C2", "give up")]
    assert "upstream connect error" in desk.decisions[0].because
    assert [log["event"] for log in logs] == ["model_call_again", "model_call_again", "model_call_failed"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (fails(429, code="insufficient_quota"), "credit or quota"),
        (fails(401), "does not accept our key"),
        (fails(400, words="bad schema"), "refused the request"),
        (fails(400, code="context_length_exceeded"), "`/new`"),
        (fails(429, retry_after=600.0), "wait 10 minutes"),
    ],
)
async def test_c2_final_failures_are_one_attempt(line: Line, words: str) -> None:
    desk = Desk([line])
    error = await desk.error()
    assert words in str(error)
    assert (len(desk.model.requests), error.code) == (1, line.fail.code if line.fail else "")


async def test_c2_a_second_attempt_may_succeed() -> None:
    desk = Desk([fails(), Line(text="Hello")])
    assert (await desk.ask()).text == "Hello"
    assert desk.outcomes == [("C2", "retry"), ("C2", "answered")]


async def test_c2_retry_after_is_honoured() -> None:
    desk = Desk([fails(429, retry_after=12.5), Line(text="Hello")])
    await desk.ask()
    assert desk.clock.slept == [12.5]


async def test_c2_the_circuit_spares_a_model_that_keeps_failing() -> None:
    desk = Desk([fails() for _ in range(15)] + [Line(text="back")])
    for _ in range(5):
        await desk.error()
    error = await desk.error()
    assert (error.kind, len(desk.model.requests)) == ("circuit", 15)
    assert desk.decisions[-1].outcome == "not asked"
    desk.clock.at += 60
    assert (await desk.ask()).text == "back"


async def test_c2_circuits_are_each_models_own() -> None:
    desk = Desk([fails() for _ in range(15)])
    for _ in range(5):
        await desk.error()
    desk.model = ScriptedModel(a_profile(name="other"), supplies(), lines=[Line(text="Hello")])
    assert (await desk.ask()).text == "Hello"


class Gate:
    """A model whose answers wait until they are let through."""

    def __init__(self, name: str = "gate") -> None:
        self.name = name
        self.inside = 0
        self.most = 0
        self.open = asyncio.Event()
        self.entered = asyncio.Event()

    async def ask(self, request: Request, on_text: Any) -> Answer:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.entered.set()
        try:
            await self.open.wait()
        finally:
            self.inside -= 1
        return Answer(text="ok", calls=(), finish="stop", usage=Usage(model=self.name))

    async def close(self) -> None:
        """Nothing is open."""


async def test_c2_the_cap_holds_over_the_process() -> None:
    gate = Gate()
    caller = Caller(clock=PatientClock(), calls_at_once=2)
    tasks = [asyncio.create_task(caller.ask(gate, a_request(), lambda _: None)) for _ in range(5)]
    await gate.entered.wait()
    gate.open.set()
    await asyncio.gather(*tasks)
    assert gate.most == 2


async def test_c2_a_stopped_probe_frees_the_circuit() -> None:
    desk = Desk([fails() for _ in range(15)])
    for _ in range(5):
        await desk.error()
    desk.clock.at += 60
    gate = Gate(desk.model.name)
    probe = asyncio.create_task(desk.caller.ask(gate, a_request(), lambda _: None))
    await gate.entered.wait()
    assert (await desk.error()).kind == "circuit"
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    gate.open.set()
    await desk.caller.ask(gate, a_request(), lambda _: None)


async def test_c3_a_blank_answer_is_asked_again_once() -> None:
    desk = Desk([Line(), Line(text="Hello there")])
    answer = await desk.ask()
    assert answer.text == "Hello there"
    assert desk.outcomes == [("C2", "retry")]
    assert answer.usage.tokens_in == 2 * 2, "both calls are paid for"


async def test_c3_a_second_blank_answer_is_returned() -> None:
    desk = Desk([Line(), Line(text=" \n"), Line(text="never asked")])
    assert (await desk.ask()).text == " \n"


async def test_c3_once_a_run() -> None:
    desk = Desk([Line(), Line(text="Hello"), Line(), Line(text="never asked")])
    blanks = Blanks()
    await desk.ask(blanks=blanks)
    assert (await desk.ask(blanks=blanks)).text == ""
    assert len(desk.model.requests) == 3


async def test_b28_answers_without_choices_end_in_a_plain_sentence() -> None:
    desk = Desk([fails(None, kind="empty"), fails(None, kind="empty"), Line(text="never asked")])
    assert "sent an empty one, twice" in str(await desk.error())


@pytest.mark.parametrize("finish", ["length", "content_filter"])
async def test_c3_a_blank_answer_with_another_reason_is_not_asked_again(finish: str) -> None:
    desk = Desk([Line(finish=finish)])
    assert (await desk.ask()).finish == finish


class Stutters:
    """Shows a piece before each failure."""

    name = "stutters"

    def __init__(self, failures: int) -> None:
        self.left = failures

    async def ask(self, request: Request, on_text: Any) -> Answer:
        on_text(f"try {self.left}")
        if self.left:
            self.left -= 1
            raise ProviderError("broke off", kind="stream")
        return Answer(text="try 0", calls=(), finish="stop", usage=Usage(model=self.name))

    async def close(self) -> None:
        """Nothing is open."""


async def test_pieces_of_a_failed_attempt_are_taken_back() -> None:
    shown: list[str] = []
    caller = Caller(clock=PatientClock())
    await caller.ask(Stutters(2), a_request(), shown.append, on_again=shown.clear)
    assert shown == ["try 0"]


async def test_without_a_way_to_take_them_back_later_pieces_are_not_shown() -> None:
    shown: list[str] = []
    caller = Caller(clock=PatientClock())
    answer = await caller.ask(Stutters(2), a_request(), shown.append)
    assert (shown, answer.text) == (["try 2"], "try 0")


async def test_c2_over_the_wire() -> None:
    """The policy holds with the real client: a refusal with a wait, then the answer."""
    async with OpenAIStub(refuses(503, "busy", headers={"Retry-After": "2"}), says("Hello")) as stub:
        clock = PatientClock()
        model = build(a_profile(base_url=stub.url), supplies(key=stub.key, clock=clock))
        answer = await Caller(clock=clock).ask(model, a_request(tools=(a_tool(),)), lambda _: None)
        await model.close()
    assert (answer.text, clock.slept) == ("Hello", [2.0])
