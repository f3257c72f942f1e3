from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from yarl import URL

from agent.model import AssistantMessage, SystemMessage, UserMessage
from agent.models._transport import proxy_for
from agent.models.openai import OpenAIModel, build
from bot.errors import SettingsError
from tests.support.models import a_profile, a_request, a_tool, a_tool_turn, ask, failure, supplies
from tests.support.openai_stub import OpenAIStub, Scripted, calls, chunk, event, refuses, says, streams, whole


@pytest.fixture
async def stub() -> AsyncIterator[OpenAIStub]:
    async with OpenAIStub() as server:
        yield server
        assert server.complaints == []


@pytest.fixture
async def model(stub: OpenAIStub) -> AsyncIterator[OpenAIModel]:
    built = build(a_profile(base_url=stub.url, usd_in=1.0, usd_out=2.0), supplies(key=stub.key))
    yield built
    await built.close()


async def test_an_answer_streams(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(says("Hel", "lo"))
    answer, pieces = await ask(model)
    assert pieces == ["Hel", "lo"]
    assert (answer.text, answer.finish, answer.usage.tokens_in) == ("Hello", "stop", 10)
    assert answer.usage.cost_usd == pytest.approx((10 * 1.0 + 2 * 2.0) / 1_000_000)
    assert stub.bodies[0]["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("size", [1, 7, 64])
async def test_bytes_may_be_cut_anywhere(stub: OpenAIStub, model: OpenAIModel, size: int) -> None:
    stub.answers.append(streams(chunk({"content": "Zoë 李"}), chunk({"content": "!"}, finish="stop"), size=size))
    answer, _ = await ask(model)
    assert answer.text == "Zoë 李!"


async def test_a_tool_turn_goes_there_and_back(stub: OpenAIStub, model: OpenAIModel) -> None:
    first = {"index": 0, "id": "c1", "function": {"name": "weather", "arguments": '{"city":"Rome"}'}}
    stub.answers += [calls(first), says("It rains.")]
    answer, _ = await ask(model, a_request(*a_tool_turn(), tools=(a_tool(),)))
    assert answer.calls[0].id != "c1", "the history has that id already"
    assert answer.finish == "tool_calls"


async def test_b53_a_strict_address_takes_every_history() -> None:
    async with OpenAIStub(says("ok"), alternates=True) as stub:
        model = build(a_profile(base_url=stub.url), supplies(key=stub.key))
        history = (SystemMessage(text="x"), AssistantMessage(text="hi"), AssistantMessage(text=""))
        answer, _ = await ask(model, a_request(*history, UserMessage(text="a"), UserMessage(text="b")))
        await model.close()
    assert (answer.text, stub.complaints) == ("ok", [])


async def test_connections_are_kept(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers += [says("a"), says("b"), says("c")]
    for _ in range(3):
        await ask(model)
    assert len(set(stub.peers)) == 1


async def test_a_connection_that_the_server_closed_is_replaced(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers += [says("a"), says("b")]
    await ask(model)
    for connection in list(stub.connections()):
        connection.close()
    assert (await ask(model))[0].text == "b"


async def test_an_answer_that_is_not_streamed(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(whole({"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}))
    answer, pieces = await ask(model)
    assert (answer.text, pieces) == ("Hello", ["Hello"])


async def test_a_stream_that_does_not_say_so(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(streams(chunk({"content": "Hello"}, finish="stop"), content_type="text/plain"))
    assert (await ask(model))[0].text == "Hello"


async def test_b28_an_answer_without_choices_is_told(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(whole({"id": "x", "choices": []}))
    assert (await failure(model)).kind == "empty"


async def test_a_page_instead_of_an_answer(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(Scripted(pieces=[b"<html>Welcome</html>"], content_type="text/html"))
    error = await failure(model)
    assert (error.kind, "no model's answer" in str(error)) == ("stream", True)


async def test_refusals_carry_their_facts(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(refuses(429, "slow down", code="rate_limit_exceeded", headers={"Retry-After": "7"}))
    error = await failure(model)
    assert (error.kind, error.status, error.code, error.retry_after) == ("http", 429, "rate_limit_exceeded", 7.0)


async def test_the_key_is_in_no_error(stub: OpenAIStub) -> None:
    model = build(a_profile(base_url=stub.url), supplies(key="wrong-key-0123456789"))
    error = await failure(model)
    await model.close()
    assert error.status == 401
    chain = [error, error.__cause__, error.__context__]
    assert not any("wrong-key-0123456789" in f"{link!r} {link}" for link in chain)


async def test_a_redirect_is_not_followed_with_the_key(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(Scripted(status=307, headers={"Location": "http://127.0.0.1:1/"}))
    assert (await failure(model)).status == 307


async def test_a_stream_that_breaks_off(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(Scripted(pieces=[event(chunk({"content": "Hel"}))], breaks_off=True))
    assert (await failure(model)).kind == "stream"


async def test_a_stream_that_ends_too_early(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(streams(chunk({"content": "Hel"}), done=False))
    assert (await failure(model)).kind == "stream"


async def test_a_broken_line(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(Scripted(pieces=[event(chunk({"content": "Hel"})), b'data: {"choices":[{\n\n']))
    assert (await failure(model)).kind == "stream"


async def test_an_error_in_the_stream(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(streams(chunk({"content": "Hel"}), {"error": {"message": "died", "code": 503}}))
    error = await failure(model)
    assert (error.kind, error.status) == ("http", 503)


async def test_silence_inside_an_answer_ends_it(stub: OpenAIStub) -> None:
    model = build(a_profile(base_url=stub.url), supplies(key=stub.key, gap_seconds=0.1))
    stub.answers.append(Scripted(pieces=[event(chunk({"content": "Hel"}))], hangs=True))
    assert (await failure(model)).kind == "gap"
    await asyncio.wait_for(stub.left.wait(), 5)
    await model.close()


async def test_an_answer_that_never_begins(stub: OpenAIStub) -> None:
    model = build(a_profile(base_url=stub.url), supplies(key=stub.key, gap_seconds=0.1))
    stub.answers.append(Scripted(hangs=True))
    assert (await failure(model)).kind == "timeout"
    await model.close()


async def test_a_body_that_does_not_end_after_the_last_event(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers.append(Scripted(pieces=says("Hello").pieces, hangs=True))
    assert (await ask(model))[0].text == "Hello"
    await asyncio.wait_for(stub.left.wait(), 5)


async def test_cancelling_closes_the_connection(stub: OpenAIStub, model: OpenAIModel) -> None:
    stub.answers += [Scripted(pieces=[event(chunk({"content": "Hel"}))], hangs=True), says("next")]
    task = asyncio.create_task(ask(model))
    await stub.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(stub.left.wait(), 5)
    assert (await ask(model))[0].text == "next"


async def test_nobody_listens() -> None:
    model = build(a_profile(base_url="http://127.0.0.1:9/v1"), supplies())
    assert (await failure(model)).kind == "connection"
    await model.close()


async def test_a_large_picture_is_sent(stub: OpenAIStub) -> None:
    model = build(a_profile(base_url=stub.url, vision=True), supplies(key=stub.key))
    stub.answers.append(says("A cat."))
    picture = "data:image/png;base64," + "A" * 3_000_000
    answer, _ = await ask(model, a_request(UserMessage(text="what?", images=(picture,))))
    await model.close()
    assert answer.text == "A cat."


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        build(a_profile(base_url=""), supplies(key=""))


def test_this_machine_is_never_behind_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "intern.example")
    for loopback in ("http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]:1/v1"):
        assert proxy_for(URL(loopback)) is None
    assert proxy_for(URL("https://intern.example/v1")) is None
    assert proxy_for(URL("https://api.example/v1")) == "http://proxy.example:3128"
