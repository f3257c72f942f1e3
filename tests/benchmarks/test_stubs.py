"""The stubs, spoken to over a real connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from benchmarks.stubs import TOKEN, Question, Stubs


class Client:
    """Speaks to the stubs as a bot does."""

    def __init__(self, stubs: Stubs, session: aiohttp.ClientSession) -> None:
        self.stubs = stubs
        self._session = session

    async def call(self, method: str, **parameters: Any) -> Any:
        async with self._session.post(f"{self.stubs.url}/bot{TOKEN}/{method}", data=parameters) as response:
            return (await response.json())["result"]

    async def complete(self, *messages: tuple[str, str], stream: bool = False) -> str:
        said = [{"role": role, "content": text} for role, text in messages]
        body = {"model": "m", "messages": said, "stream": stream}
        async with self._session.post(f"{self.stubs.url}/v1/chat/completions", json=body) as response:
            return await response.text()


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    stubs = Stubs()
    await stubs.start()
    async with aiohttp.ClientSession() as session:
        yield Client(stubs, session)
    await stubs.stop()


async def test_a_question_is_fetched_until_it_is_confirmed(client: Client) -> None:
    question = client.stubs.ask(5)
    first = await client.call("getUpdates", timeout=1)
    again = await client.call("getUpdates", timeout=1)
    assert first == again
    assert f"q{question.id}q" in first[0]["message"]["text"]
    assert await client.call("getUpdates", offset=question.id + 1, timeout=0) == []


async def test_a_question_counts_as_answered_only_when_the_whole_answer_stands(client: Client) -> None:
    seen: list[Question] = []
    question = client.stubs.ask(5, seen.append)
    message = await client.call("sendMessage", chat_id=5, text=f"first{question.id} …")
    assert not question.answered
    whole = f"first{question.id} word last{question.id}"
    await client.call("editMessageText", chat_id=5, message_id=message["message_id"], text=whole)
    assert question.answered >= question.asked
    assert seen == [question]


async def test_an_answer_in_two_messages_is_a_duplicate_and_one_in_two_edits_is_none(client: Client) -> None:
    question = client.stubs.ask(5)
    text = f"last{question.id}"
    message = await client.call("sendMessage", chat_id=5, text=text)
    await client.call("editMessageText", chat_id=5, message_id=message["message_id"], text=text)
    assert len(question.messages) == 1
    await client.call("sendMessage", chat_id=5, text=text)
    assert len(question.messages) == 2


async def test_the_model_answers_all_that_was_asked_since_its_last_answer(client: Client) -> None:
    text = await client.complete(("user", "q1q"), ("assistant", "…"), ("user", "q2q"), ("user", "q3q"))
    assert "last2 last3" in text
    assert "last1" not in text


async def test_the_model_streams_the_same_answer(client: Client) -> None:
    text = await client.complete(("user", "q7q"), stream=True)
    assert text.count("data: ") == 12 + 2 + 3
    assert text.index("first7") < text.index("last7") < text.index("[DONE]")
