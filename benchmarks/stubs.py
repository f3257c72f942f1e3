"""Stubs: a Bot API that knows just enough, and a model that answers at once, on one port.

Every question carries an id, `q17q`; the answer to it holds `first17` and ends with `last17`. A question counts as
answered when its `last…` stands in a sent or edited message. Times are taken here, so no two clocks are compared.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import parse_qsl

import orjson

from benchmarks.wire import Answer, Call, Reply, serve

TOKEN = "7000:benchmark"
WORDS = 12
_ASKED = re.compile(r"q(\d+)q")
_ANSWERED = re.compile(r"last(\d+)")
_BOT = {"id": 7000, "is_bot": True, "first_name": "Bench", "username": "bench_bot", "can_join_groups": True}
POLL_SECONDS = 20.0


@dataclass(slots=True)
class Question:
    """One message of a person, and when what happened to it."""

    id: int
    room: int
    asked: float
    at_model: float = 0.0
    answered: float = 0.0
    messages: set[int] = field(default_factory=set)
    """The platform's messages that hold the whole answer: more than one is a duplicate."""
    seen: Callable[[Question], None] | None = None
    """Called at the whole answer."""


class Stubs:
    """Both services, and the people who ask."""

    def __init__(self) -> None:
        self.questions: dict[int, Question] = {}
        self.calls: Counter[str] = Counter()
        self.answers: list[Question] = []
        """In the order in which they were seen."""
        self.polled = asyncio.Event()
        self._ids = itertools.count(1)
        self._messages = itertools.count(1)
        self._updates: deque[dict[str, Any]] = deque()
        self._poll: tuple[Reply, int, asyncio.TimerHandle] | None = None
        self._server: asyncio.Server | None = None
        self.port = 0

    async def start(self) -> None:
        self._server, self.port = await serve(self._handle)

    def forget(self) -> None:
        """Begin anew for another bot: what was asked of the last one is over."""
        self._updates.clear()
        self.polled.clear()
        if self._poll is not None:
            self._poll[2].cancel()
            self._poll = None

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # --- people -------------------------------------------------------------------------------------------

    def ask(self, room: int, seen: Callable[[Question], None] | None = None) -> Question:
        """Let a person write a question into their private chat."""
        number = next(self._ids)
        question = self.questions[number] = Question(id=number, room=room, asked=perf_counter(), seen=seen)
        person = {"id": room, "is_bot": False, "first_name": f"Person {room}"}
        message = {
            "message_id": next(self._messages),
            "date": 1_700_000_000,
            "chat": {"id": room, "type": "private", "first_name": f"Person {room}"},
            "from": person,
            "text": f"please tell me about q{number}q",
        }
        self._updates.append({"update_id": number, "message": message})
        self._answer_poll()
        return question

    async def answer(self, room: int, seconds: float) -> Question:
        """Ask and wait for the whole answer; one that does not come in time stays unanswered."""
        done = asyncio.Event()
        question = self.ask(room, lambda _: done.set())
        try:
            await asyncio.wait_for(done.wait(), seconds)
        except TimeoutError:
            question.seen = None
        return question

    # --- the Bot API --------------------------------------------------------------------------------------

    def _handle(self, call: Call, reply: Reply) -> None:
        if call.path.endswith("/chat/completions"):
            self.calls["model"] += 1
            reply(self._complete(orjson.loads(call.body)))
            return
        method = call.path.rpartition("/")[2]
        self.calls[method] += 1
        parameters = _parameters(call)
        if method == "getUpdates":
            self._take_poll(parameters, reply)
            return
        reply(_ok(self._do(method, parameters)))

    def _do(self, method: str, parameters: dict[str, Any]) -> Any:
        if method == "getMe":
            return _BOT
        if method == "sendMessage":
            return self._stand(next(self._messages), parameters)
        if method == "editMessageText":
            return self._stand(int(parameters["message_id"]), parameters)
        return [] if method.startswith("getMy") else True

    def _stand(self, message_id: int, parameters: dict[str, Any]) -> dict[str, Any]:
        text = str(parameters.get("text", ""))
        for number in _ANSWERED.findall(text):
            self._see(int(number), message_id)
        chat = {"id": int(parameters["chat_id"]), "type": "private", "first_name": "Person"}
        return {"message_id": message_id, "date": 1_700_000_000, "chat": chat, "from": _BOT, "text": text}

    def _see(self, number: int, message_id: int) -> None:
        question = self.questions.get(number)
        if question is None:
            return
        question.messages.add(message_id)
        if question.answered:
            return
        question.answered = perf_counter()
        self.answers.append(question)
        if question.seen is not None:
            question.seen(question)

    def _take_poll(self, parameters: dict[str, Any], reply: Reply) -> None:
        offset = int(parameters.get("offset") or 0)
        while self._updates and self._updates[0]["update_id"] < offset:
            self._updates.popleft()
        if self._poll is not None:
            self._poll[2].cancel()
            self._poll[0](_ok([]))
        seconds = min(float(parameters.get("timeout") or 0), POLL_SECONDS)
        timer = asyncio.get_running_loop().call_later(seconds, self._end_poll)
        self._poll = (reply, int(parameters.get("limit") or 100), timer)
        self.polled.set()
        self._answer_poll()

    def _answer_poll(self) -> None:
        if self._poll is None or not self._updates:
            return
        reply, limit, timer = self._poll
        timer.cancel()
        self._poll = None
        reply(_ok(list(itertools.islice(self._updates, limit))))

    def _end_poll(self) -> None:
        if self._poll is not None:
            reply, self._poll = self._poll[0], None
            reply(_ok([]))

    # --- the model ----------------------------------------------------------------------------------------

    def _complete(self, request: dict[str, Any]) -> Answer:
        numbers = _last_questions(request["messages"])
        for number in numbers:
            if number in self.questions:
                self.questions[number].at_model = perf_counter()
        pieces = [f"first{number} " for number in numbers] + ["word "] * WORDS
        pieces += [f"last{number} " for number in numbers]
        if not request.get("stream"):
            message = {"role": "assistant", "content": "".join(pieces)}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return Answer(body=orjson.dumps({"id": "c", "object": "chat.completion", "choices": [choice]}))
        chunks = [_chunk({"content": piece}) for piece in pieces]
        usage = {"id": "c", "choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 14, "total_tokens": 64}}
        return Answer(stream=(*chunks, _chunk({}, "stop"), _event(usage), b"data: [DONE]\n\n"))


def _parameters(call: Call) -> dict[str, Any]:
    if not call.body:
        return {}
    if call.form:
        return dict(parse_qsl(call.body.decode(), keep_blank_values=True))
    found: dict[str, Any] = orjson.loads(call.body)
    return found


def _ok(result: Any) -> Answer:
    return Answer(body=orjson.dumps({"ok": True, "result": result}))


def _last_questions(messages: Sequence[dict[str, Any]]) -> list[int]:
    """Return what was asked since the last answer: a bot may merge what comes in quick succession."""
    numbers: list[int] = []
    for message in reversed(messages):
        if message["role"] == "assistant":
            break
        if message["role"] == "user":
            numbers = [int(number) for number in _ASKED.findall(str(message["content"]))] + numbers
    return numbers


def _chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event({"id": "c", "object": "chat.completion.chunk", "choices": [choice]})


def _event(value: Any) -> bytes:
    return b"data: " + orjson.dumps(value) + b"\n\n"
