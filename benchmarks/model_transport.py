"""CPU and memory of one streamed model call: the official client against our transport.

    python benchmarks/model_transport.py            measures both, each in a process of its own
    python benchmarks/model_transport.py ours URL   measures one against a running stub

The stub answers twelve words, one chunk each, from another process. The figures of the day are in
docs/decisions/0002-model-transport.md.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import orjson
import psutil

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

CALLS = 100
HISTORIES = (2, 100)
Ask = Callable[[int], Awaitable[str]]


def memory() -> float:
    return psutil.Process().memory_info().rss / 1e6


def official(url: str) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=url, api_key="k", max_retries=0)

    async def ask(items: int) -> str:
        from agent.models._wire import chat_body

        body: Any = chat_body(request(items), profile(url), strict=False, max_tokens_field="max_tokens")
        words = []
        async with client.chat.completions.with_streaming_response.create(
            model="m", messages=[], stream=True, extra_body=body
        ) as response:
            async for line in response.iter_lines():
                if line.startswith("data: {"):
                    data = orjson.loads(line[6:])
                    words += [data["choices"][0]["delta"].get("content", "")] if data["choices"] else []
        return "".join(words)

    return ask, client.close


def ours(url: str) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    from agent.models.openai import build
    from agent.provider import Supplies
    from bot.system_clock import SystemClock

    model = build(profile(url), Supplies(clock=SystemClock(), key="k"))

    async def ask(items: int) -> str:
        return (await model.ask(request(items), lambda _: None)).text

    return ask, model.close


def profile(url: str) -> Any:
    from bot.settings import Profile

    return Profile(name="m", provider="openai", model="m", base_url=url)


def request(items: int) -> Any:
    from agent.model import AssistantMessage, Request, UserMessage

    kinds = (UserMessage, AssistantMessage)
    return Request(messages=tuple(kinds[n % 2](text="word " * 30) for n in range(items)))


async def measure(name: str, url: str) -> None:
    import aiohttp  # noqa: F401 — the web server has it in any case

    import agent.model  # noqa: F401

    before, started = memory(), time.process_time()
    ask, close = {"ours": ours, "official": official}[name](url)
    imported = time.process_time() - started
    await ask(2)
    print(f"{name}: {imported:.2f} s to import and build, {memory() - before:.0f} MB more after the first call")
    for items in HISTORIES:
        for _ in range(20):
            assert "word11" in await ask(items)
        alone, together = await least(ask, items), await crowd(ask, items)
        print(f"{name}: {items} items: {alone:.2f} ms CPU a call, {together:.2f} ms at 50 at once")
    await close()


async def least(ask: Ask, items: int) -> float:
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        for _ in range(CALLS):
            await ask(items)
        best = min(best, (time.process_time() - started) / CALLS * 1000)
    return best


async def crowd(ask: Ask, items: int) -> float:
    started = time.process_time()
    for _ in range(4):
        await asyncio.gather(*(ask(items) for _ in range(50)))
    return (time.process_time() - started) / 200 * 1000


async def serve() -> None:
    from tests.support.openai_stub import DONE, OpenAIStub, Scripted, chunk, event, usage

    pieces = [event(chunk({"content": f"word{n} "})) for n in range(12)]
    answer = Scripted(pieces=[*pieces, event(chunk(finish="stop")), event(usage(1, 12)), DONE])
    async with OpenAIStub(key="") as stub:
        stub.answers = Endless(answer)
        print(stub.url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


class Endless(list[Any]):
    """A script that never ends."""

    def __init__(self, answer: Any) -> None:
        super().__init__([answer])

    def pop(self, index: Any = 0) -> Any:
        return self[0]


def main() -> None:
    if sys.argv[1:] == ["serve"]:
        asyncio.run(serve())
    elif sys.argv[1:]:
        asyncio.run(measure(*sys.argv[1:]))
    else:
        stub = subprocess.Popen(
            [sys.executable, __file__, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert stub.stdout is not None
        url = stub.stdout.readline().strip()
        for name in ("official", "ours"):
            subprocess.run([sys.executable, __file__, name, url], check=True)
        stub.communicate("")


if __name__ == "__main__":
    main()
