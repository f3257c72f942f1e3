"""Every provider that has no file of its own, through the litellm library.

Its import takes seconds and 200 MB, so it happens off the loop, when a profile first needs it.
https://docs.litellm.ai/docs/completion/input
"""

from __future__ import annotations

import asyncio
import logging
import os
import warnings
from collections.abc import Awaitable, Callable, Mapping
from threading import Lock
from typing import Any

from agent.model import Answer, AssistantMessage, ProviderError, Request
from agent.models._failures import clean, one_code, retry_after
from agent.models._stream import ChatAssembly
from agent.models._wire import chat_body
from agent.provider import Provider, Supplies
from bot.settings import Profile

TOTAL_SECONDS = 3600.0
_loading = Lock()

Complete = Callable[..., Awaitable[Any]]


class LiteLLMModel:
    """One profile of a provider that litellm knows."""

    def __init__(self, profile: Profile, supplies: Supplies) -> None:
        self._profile = profile
        self._supplies = supplies

    @property
    def name(self) -> str:
        return self._profile.name

    async def ask(self, request: Request, on_text: Callable[[str], None]) -> Answer:
        complete, failures = await asyncio.to_thread(load)
        try:
            return await self._stream(complete, request, on_text)
        except TimeoutError as exc:
            raise ProviderError(f"nothing came for {self._supplies.gap_seconds:g} s", kind="gap") from exc
        except failures as exc:
            # The library's errors quote the request, and with it the key: they must not hang on as a cause.
            raise self._error(exc) from None

    async def close(self) -> None:
        """The library keeps connections of its own, for the whole process."""

    async def _stream(self, complete: Complete, request: Request, on_text: Callable[[str], None]) -> Answer:
        taken = [call.id for m in request.messages if isinstance(m, AssistantMessage) for call in m.calls]
        assembly = ChatAssembly(self._profile, taken=taken)
        gap = self._supplies.gap_seconds
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(gap) as silence:
            stream = await complete(**self._options(request))
            try:
                async for chunk in stream:
                    silence.reschedule(loop.time() + gap)
                    if text := assembly.feed(_plain(chunk)):
                        on_text(text)
            finally:
                await _close(stream)
        if text := assembly.end():
            on_text(text)
        if not assembly.ended:
            raise ProviderError("the answer broke off before its end", kind="stream")
        return assembly.answer()

    def _options(self, request: Request) -> dict[str, Any]:
        body = chat_body(request, self._profile, strict=True, max_tokens_field="max_tokens")
        supplied = {"api_key": self._supplies.key, "api_base": self._profile.base_url}
        return (
            body
            | {name: value for name, value in supplied.items() if value}
            | {
                "model": f"{self._profile.provider}/{self._profile.model}",
                "timeout": TOTAL_SECONDS,
                "num_retries": 0,
                "max_retries": 0,
            }
        )

    def _error(self, exc: Exception) -> ProviderError:
        words = clean(str(getattr(exc, "message", exc)), key=self._supplies.key)
        status = getattr(exc, "status_code", None)
        code = getattr(exc, "code", None) or getattr(exc, "type", None) or ""
        name = type(exc).__name__
        if name == "ContextWindowExceededError":
            code = "context_length_exceeded"
        return ProviderError(
            words,
            kind=_KINDS.get(name, "http"),
            status=status if isinstance(status, int) else None,
            code=one_code(str(code), words),
            retry_after=retry_after(_headers(exc), self._supplies.clock.now()),
        )


_KINDS = {"APIConnectionError": "connection", "Timeout": "timeout", "MidStreamFallbackError": "stream"}


def _headers(exc: Exception) -> Mapping[str, str]:
    for holder in (getattr(exc, "litellm_response_headers", None), getattr(exc, "response", None)):
        headers = getattr(holder, "headers", holder)
        if isinstance(headers, Mapping) and headers:
            return {str(name): str(value) for name, value in headers.items()}
    return {}


def _plain(chunk: Any) -> Mapping[str, Any]:
    plain: Mapping[str, Any] = chunk.model_dump()
    return plain


async def _close(stream: Any) -> None:
    close = getattr(stream, "aclose", None)
    if close is not None:
        await close()


def load() -> tuple[Complete, tuple[type[Exception], ...]]:
    """Return what asks a provider, and the classes that its failures have; slow the first time: call it in a thread."""
    with _loading:
        # The library reads these when it is imported: no price map from the network, no `.env` of its own, no chatter.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # noqa: TID251 — its documented switch
        os.environ.setdefault("LITELLM_MODE", "PRODUCTION")  # noqa: TID251 — its documented switch
        os.environ.setdefault("LITELLM_LOG", "ERROR")  # noqa: TID251 — its documented switch
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import litellm
            import openai
        litellm.telemetry = False
        litellm.suppress_debug_info = True
        litellm.drop_params = True
        litellm.modify_params = True
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
            logging.getLogger(name).setLevel(logging.ERROR)
        return litellm.acompletion, (openai.OpenAIError,)


def build(profile: Profile, supplies: Supplies) -> LiteLLMModel:
    """Return the model of a profile; the library checks the provider's name when it is first asked."""
    return LiteLLMModel(profile, supplies)


MODEL = Provider(name="litellm", build=build)
