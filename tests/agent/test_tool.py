"""From a function to a tool: its schema, and its arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from agent import schema
from agent.schema import WrongArguments
from agent.tool import Tool, ToolContext, ToolResult, tool
from agent.toolset import allowed, existing, exposed
from bot.errors import RegistrationError


@dataclass(frozen=True, kw_only=True, slots=True)
class Stop:
    city: str
    nights: int = 1


async def plan(
    context: ToolContext,
    stops: list[Stop],
    tags: tuple[str, ...] = (),
    mode: Literal["train", "bike"] = "train",
    budget: float | None = None,
    quiet: bool = False,
) -> ToolResult:
    """Plan a journey.

    It takes its time.

        stops: Where to sleep.
        mode: How to travel.
    """
    return ToolResult(text=f"{stops} {tags} {mode} {budget} {quiet}")


PLAN = tool(plan, idempotent=True)


def test_the_schema_comes_from_the_signature_and_the_docstring() -> None:
    spec = PLAN.spec
    assert (spec.name, spec.description) == ("plan", "Plan a journey.\n\nIt takes its time.")
    assert spec.parameters == {
        "type": "object",
        "properties": {
            "stops": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"city": {"type": "string"}, "nights": {"type": "integer"}},
                    "required": ["city"],
                    "additionalProperties": False,
                },
                "description": "Where to sleep.",
            },
            "tags": {"type": "array", "items": {"type": "string"}},
            "mode": {"type": "string", "enum": ["train", "bike"], "description": "How to travel."},
            "budget": {"type": "number"},
            "quiet": {"type": "boolean"},
        },
        "required": ["stops"],
        "additionalProperties": False,
    }


def test_arguments_become_values() -> None:
    given = {"stops": [{"city": "Oslo", "nights": 2.0}], "tags": ["a"], "budget": 3, "mode": "bike"}
    assert schema.read(PLAN.arguments, given) == {
        "stops": [Stop(city="Oslo", nights=2)],
        "tags": ("a",),
        "budget": 3,
        "mode": "bike",
    }
    assert schema.read(PLAN.arguments, {"stops": [], "budget": None}) == {"stops": [], "budget": None}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "stops is missing"),
        ({"stops": "Oslo"}, "stops must be a list"),
        ({"stops": ["Oslo"]}, r"stops\[0\] must be an object"),
        ({"stops": [{"city": 1}]}, r"stops\[0\]: city must be a text"),
        ({"stops": [{"city": "a", "nights": 1.5}]}, "nights must be a whole number"),
        ({"stops": [{"city": "a", "nights": True}]}, "nights must be a whole number"),
        ({"stops": [], "mode": "car"}, "mode must be one of train, bike"),
        ({"stops": [], "budget": "much"}, "budget must be a number"),
        ({"stops": [], "quiet": 1}, "quiet must be true or false"),
        ({"stops": [], "colour": 1}, "no argument colour"),
    ],
)
def test_arguments_that_do_not_fit_are_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(WrongArguments, match=words):
        schema.read(PLAN.arguments, given)


def test_a_tool_without_words_for_the_model_is_refused() -> None:
    async def silent(context: ToolContext) -> ToolResult:
        return ToolResult(text="")

    with pytest.raises(RegistrationError, match="silent needs a docstring"):
        tool(silent, idempotent=True)


def test_a_tool_whose_argument_has_no_schema_is_refused() -> None:
    async def odd(context: ToolContext, what: object) -> ToolResult:
        """Be odd."""
        return ToolResult(text="")

    with pytest.raises(RegistrationError, match="cannot take"):
        tool(odd, idempotent=True)


def test_a_description_of_nothing_is_refused() -> None:
    async def wrong(context: ToolContext) -> ToolResult:
        """Be wrong.

        colour: It has none.
            colour: It has none.
        """
        return ToolResult(text="")

    with pytest.raises(RegistrationError, match="colour"):
        tool(wrong, idempotent=True)


def named(name: str, description: str = "d") -> Tool:
    async def work(context: ToolContext) -> ToolResult:
        return ToolResult(text="")

    return Tool(name=name, description=description, work=work, idempotent=True, arguments=())


def test_of_two_tools_with_one_name_the_first_stays() -> None:
    found = existing([named("search", "ours"), named("fetch")], [named("search", "theirs"), named("post")])
    assert [(one.name, one.description) for one in found] == [("search", "ours"), ("fetch", "d"), ("post", "d")]


def test_only_what_exists_is_allowed_and_only_what_is_allowed_is_exposed() -> None:
    tools = (named("search"), named("fetch"))
    assert allowed(tools, None) == tools
    assert [one.name for one in allowed(tools, ("fetch", "ghost"))] == ["fetch"]
    assert allowed(tools, ()) == ()
    assert exposed(tools, model_uses_tools=True) == tools
    assert exposed(tools, model_uses_tools=False) == ()
