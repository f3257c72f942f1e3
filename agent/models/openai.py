"""Every address that speaks OpenAI's API: OpenAI itself, Ollama, vLLM, gateways, the embedded model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agent.model import Answer, AssistantMessage, Request
from agent.models._reader import Reader
from agent.models._responses_stream import ResponsesAssembly
from agent.models._responses_wire import responses_body
from agent.models._stream import Assembly, ChatAssembly
from agent.models._transport import Transport
from agent.models._wire import chat_body
from agent.provider import Provider, Supplies
from bot.errors import SettingsError
from bot.settings import Profile

OPENAI = "https://api.openai.com/v1"
_RESPONSES_FAMILY = "gpt-6"


class OpenAIModel:
    """One profile behind an OpenAI-compatible address."""

    def __init__(self, profile: Profile, supplies: Supplies) -> None:
        self._profile = profile
        self._key = supplies.key
        # OpenAI's own address takes the newer fields and turns in any order; everybody else may be strict.
        self._own = profile.base_url.rstrip("/") in ("", OPENAI)
        self._responses = self._own and profile.model.startswith(_RESPONSES_FAMILY)
        path = "responses" if self._responses else "chat/completions"
        self.url = f"{(profile.base_url or OPENAI).rstrip('/')}/{path}"
        """Where it is asked."""
        headers = {"Authorization": f"Bearer {supplies.key}"} if supplies.key else {}
        self._transport = Transport(self.url, supplies, headers=headers)

    @property
    def name(self) -> str:
        return self._profile.name

    async def ask(self, request: Request, on_text: Callable[[str], None]) -> Answer:
        reader = Reader(self._assembly(request), on_text, key=self._key)
        await self._transport.post(self._body(request), reader.feed)
        return reader.answer()

    async def close(self) -> None:
        await self._transport.close()

    def _body(self, request: Request) -> Mapping[str, Any]:
        if self._responses:
            return responses_body(request, self._profile)
        field = "max_completion_tokens" if self._own else "max_tokens"
        return chat_body(request, self._profile, strict=not self._own, max_tokens_field=field)

    def _assembly(self, request: Request) -> Assembly:
        taken = [call.id for m in request.messages if isinstance(m, AssistantMessage) for call in m.calls]
        if self._responses:
            return ResponsesAssembly(self._profile, taken=taken)
        return ChatAssembly(self._profile, taken=taken)


def build(profile: Profile, supplies: Supplies) -> OpenAIModel:
    """Return the model of a profile; OpenAI's own address needs a key."""
    if not profile.base_url and not supplies.key:
        variable = profile.key_variable or "OPENAI_API_KEY"
        raise SettingsError(f"model {profile.name!r} needs a key: set {variable}, or base_url for another address")
    return OpenAIModel(profile, supplies)


MODEL = Provider(name="openai", build=build)
