"""Tool: something a model can do, made of one async function. One file in `agent/tools/` offers one."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from agent import schema
from agent.folder import ThreadFolder
from agent.model import ToolSpec
from bot.clock import Clock
from bot.errors import DeckhandError, RegistrationError
from bot.people import Person


class TryAgain(DeckhandError):
    """Said by a tool to the model: this may work in another form; the sentence says in which."""


class CannotDo(DeckhandError):
    """Said by a tool to the model: this will not work in any form."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResult:
    """What came of a call."""

    text: str
    error: bool = False
    files: tuple[str, ...] = ()
    """Virtual paths of files that go out with the answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolContext:
    """Where a tool works."""

    thread_id: int
    run_id: int
    requester: Person
    folder: ThreadFolder
    clock: Clock
    max_file_bytes: int
    """The largest file that the room can be given."""
    idem_key: str = ""
    """The same for every try of this call."""


Work = Callable[..., Awaitable[ToolResult]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """Something a model can do."""

    name: str
    description: str
    work: Work
    idempotent: bool
    """Doing it twice is as doing it once, so it may be repeated after a crash."""
    arguments: tuple[schema.Argument, ...]
    seconds: float | None = None
    """How long one call may take; None: as `limits.tool_seconds` says."""
    spec: ToolSpec = field(init=False)

    def __post_init__(self) -> None:
        parameters = schema.parameters(self.arguments)
        spec = ToolSpec(name=self.name, description=self.description, parameters=parameters)
        object.__setattr__(self, "spec", spec)

    async def call(self, context: ToolContext, given: dict[str, Any]) -> ToolResult:
        """Do it; raises `WrongArguments`, `TryAgain`, `CannotDo`, and whatever else goes wrong inside."""
        return await self.work(context, **schema.read(self.arguments, given))


_ARGUMENT = re.compile(r"^ {4}(\w+): (.+)$")


def tool(work: Work, *, idempotent: bool, seconds: float | None = None) -> Tool:
    """Return the tool that a function is: name, arguments and description are its own.

    The docstring says what it does; lines `    name: text` at its end describe arguments.
    """
    name = str(getattr(work, "__name__", ""))
    description, arguments = _described(inspect.getdoc(work) or "")
    if not description:
        raise RegistrationError(f"tool {name} needs a docstring: it is what the model reads")
    return Tool(
        name=name,
        description=description,
        work=work,
        idempotent=idempotent,
        arguments=schema.arguments_of(work, arguments),
        seconds=seconds,
    )


def _described(doc: str) -> tuple[str, dict[str, str]]:
    lines = doc.splitlines()
    found = {match[1]: match[2] for line in lines if (match := _ARGUMENT.match(line))}
    return "\n".join(line for line in lines if not _ARGUMENT.match(line)).strip(), found
