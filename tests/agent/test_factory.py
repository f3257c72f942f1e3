from __future__ import annotations

import pytest

from agent.factory import Models
from agent.models.litellm import LiteLLMModel
from agent.models.openai import OpenAIModel
from agent.models.scripted import ScriptedModel
from bot.errors import SettingsError
from bot.seat import journal
from bot.settings import Limits, Profile, Thinking
from tests.support.models import PatientClock, a_profile, a_request, ask, failure
from tests.support.openai_stub import OpenAIStub, Scripted, chunk, event, says, streams


def models(*profiles: Profile, limits: Limits | None = None, **keys: str) -> Models:
    return Models(profiles, keys, limits or Limits(), PatientClock())


async def test_a3_an_openai_profile_becomes_a_client() -> None:
    async with OpenAIStub(says("ok")) as stub:
        profile = a_profile(base_url="", extra={"api_base": stub.url, "seed": 1}, temperature=1.0, key_variable="KEY")
        built = models(profile, KEY=stub.key)
        with journal() as decisions:
            answer, _ = await ask(built.get("first"), a_request(temperature=0.2))
        await built.close()
    assert (answer.text, stub.complaints) == ("ok", [])
    assert (stub.bodies[0]["temperature"], stub.bodies[0]["seed"]) == (0.2, 1)
    assert stub.bodies[0]["stream_options"] == {"include_usage": True}
    assert decisions[0].seat == "A3"


async def test_a3_a_silence_ends_after_the_limits_gap() -> None:
    assert Limits().model_gap_seconds == 240.0
    async with OpenAIStub(Scripted(pieces=[event(chunk({"content": "x"}))], hangs=True)) as stub:
        built = models(a_profile(base_url=stub.url, key_variable="K"), limits=Limits(model_gap_seconds=0.1), K=stub.key)
        assert (await failure(built.get("first"))).kind == "gap"
        await built.close()


@pytest.mark.parametrize(
    ("provider", "model"),
    [("openai", OpenAIModel), ("scripted", ScriptedModel), ("anthropic", LiteLLMModel), ("groq", LiteLLMModel)],
)
def test_a3_the_family_follows_the_provider(provider: str, model: type) -> None:
    assert isinstance(models(a_profile(provider=provider)).get("first"), model)


@pytest.mark.parametrize(("base_url", "path"), [("", "responses"), ("http://127.0.0.1:9/v1", "chat/completions")])
def test_a3_gpt6_speaks_responses_unless_the_address_is_another(base_url: str, path: str) -> None:
    built = models(a_profile(model="gpt-6-mini", base_url=base_url), OPENAI_API_KEY="sk-x").get("first")
    assert isinstance(built, OpenAIModel)
    assert built.url.endswith(path)


def test_a3_unknown_names_and_wrong_templates_are_errors() -> None:
    with pytest.raises(SettingsError, match="first"):
        models(a_profile()).get("zzz")
    with pytest.raises(SettingsError, match="support"):
        models(a_profile(thinking=Thinking(when_enabled={"thinking": {"type": "enabled"}}))).get("first")


def test_a3_a_missing_key_is_named_at_the_start() -> None:
    with pytest.raises(SettingsError, match="MY_KEY"):
        models(a_profile(key_variable="MY_KEY")).check()


async def test_a3_a_key_is_not_sent_to_an_address_it_was_not_meant_for() -> None:
    async with OpenAIStub(says("ok"), key="") as stub:
        built = models(a_profile(base_url=stub.url), OPENAI_API_KEY="sk-secret")
        await ask(built.get("first"))
        await built.close()
    assert "Authorization" not in stub.headers[0]


async def test_k9_one_model_a_profile() -> None:
    async with OpenAIStub(streams(chunk({"content": "ok"}, finish="stop")), key="") as stub:
        built = models(a_profile(base_url=stub.url))
        assert built.get("first") is built.get("first")
        await ask(built.get("first"))
        await built.close()
