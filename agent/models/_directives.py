"""What the scripted model answers, made out of the conversation alone. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.model import AssistantMessage, Call, Message, ProviderError, Request, ToolMessage, UserMessage
from agent.models._calls import fresh_id


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One answer of a script."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish: str = ""
    """Empty: `tool_calls` where there are calls, else `stop`."""
    delay: float = 0.0
    """Seconds before the answer."""
    pace: float = 0.0
    """Seconds before each word."""
    fail: ProviderError | None = None
    """Raised instead of an answer."""

    @property
    def word(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Directive:
    name: str
    argument: str


_DIRECTIVE = re.compile(r"(?<!\S)#(tool|and|long|say|blank|finish|fail|delay|pace)\b[ \t]*")
_WORD = re.compile(r"\S*")


def line_for(request: Request) -> Line:
    """Return the answer that the conversation calls for; the same for the same conversation."""
    said, answered, results = _last_turn(request.messages)
    text, directives = read(said)
    one = {directive.name: directive.argument for directive in directives}
    line = _content(text, one, _steps(directives)[answered:], results, _taken(request.messages))
    return replace(line, delay=_number(one.get("delay")), pace=_number(one.get("pace")))


def _content(
    text: str, one: Mapping[str, str], steps: Sequence[Sequence[_Directive]], results: Sequence[str], taken: set[str]
) -> Line:
    if "fail" in one:
        return Line(fail=_failure(one["fail"]))
    if steps:
        return Line(calls=_calls(steps[0], taken))
    return Line(text=_final(text, one, results), finish=one.get("finish", ""))


def read(said: str) -> tuple[str, tuple[_Directive, ...]]:
    """Return a message without its directives, and the directives in order."""
    plain, directives, at = "", [], 0
    while found := _DIRECTIVE.search(said, at):
        plain += said[at : found.start()]
        end = _argument_end(found[1], said, found.end())
        directives.append(_Directive(name=found[1], argument=said[found.end() : end].strip()))
        at = end
    return " ".join((plain + said[at:]).split()), tuple(directives)


def _argument_end(name: str, said: str, start: int) -> int:
    if name == "blank":
        return start
    if name == "say":
        newline = said.find("\n", start)
        return len(said) if newline < 0 else newline
    end = _word_end(said, start)
    if name == "fail":
        code = re.compile(r"[ \t]+[a-z_]+\b").match(said, end)
        return code.end() if code else end
    return _json_end(said, end) if name in ("tool", "and") else end


def _json_end(said: str, start: int) -> int:
    """Return where a JSON object behind a tool's name ends; text that is no JSON is taken to the end of its line."""
    begin = start + len(said[start:]) - len(said[start:].lstrip(" \t"))
    if said[begin : begin + 1] != "{":
        return start
    try:
        return json.JSONDecoder().raw_decode(said, begin)[1]
    except json.JSONDecodeError:
        newline = said.find("\n", begin)
        return len(said) if newline < 0 else newline


def _word_end(said: str, start: int) -> int:
    found = _WORD.match(said, start)
    return found.end() if found else start


def _last_turn(messages: Sequence[Message]) -> tuple[str, int, tuple[str, ...]]:
    """Return what was said last, how many steps with calls followed, and their results."""
    last = max((n for n, message in enumerate(messages) if isinstance(message, UserMessage)), default=-1)
    after = messages[last + 1 :]
    answered = sum(isinstance(message, AssistantMessage) and bool(message.calls) for message in after)
    results = tuple(message.text for message in after if isinstance(message, ToolMessage))
    return messages[last].text if last >= 0 else "", answered, results


def _steps(directives: Sequence[_Directive]) -> list[list[_Directive]]:
    steps: list[list[_Directive]] = []
    for directive in directives:
        if directive.name == "and" and steps:
            steps[-1].append(directive)
        elif directive.name in ("tool", "and"):
            steps.append([directive])
    return steps


def _calls(step: Sequence[_Directive], taken: set[str]) -> tuple[Call, ...]:
    calls = []
    for directive in step:
        name, _, arguments = directive.argument.partition(" ")
        call = Call(id=fresh_id(taken), name=name, arguments=arguments.strip() or "{}")
        taken.add(call.id)
        calls.append(call)
    return tuple(calls)


def _taken(messages: Sequence[Message]) -> set[str]:
    return {call.id for message in messages if isinstance(message, AssistantMessage) for call in message.calls}


def _final(text: str, one: Mapping[str, str], results: Sequence[str]) -> str:
    if "blank" in one:
        return ""
    if "say" in one:
        return one["say"]
    if "long" in one:
        return " ".join(f"word{n}" for n in range(1, int(_number(one["long"])) + 1))
    return ": ".join((f"answer to {text}", *filter(None, (", ".join(results),))))


def _failure(argument: str) -> ProviderError:
    status, _, code = argument.partition(" ")
    number = int(_number(status)) or 500
    return ProviderError(f"scripted {number} {code}".strip(), kind="http", status=number, code=code.strip())


def _number(raw: str | None) -> float:
    try:
        return max(0.0, float(raw or 0))
    except ValueError:
        return 0.0
