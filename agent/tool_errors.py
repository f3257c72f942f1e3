"""What the model reads when a tool breaks (seat E1). Pure."""

from __future__ import annotations

from agent import texts
from agent.schema import WrongArguments
from agent.tool import CannotDo, ToolResult, TryAgain
from bot.seat import Decider, Seat, decided

SEATS = (
    Seat(
        id="E1",
        title="Tool error capture",
        who=Decider.CODE,
        rule=(
            "Whatever a tool raises becomes a result that names the tool, the kind of error and at most 500 characters "
            "of detail, and advises to go on or to choose another tool; the run continues"
        ),
    ),
)

DETAIL_CHARACTERS = 500


def error_result(name: str, error: Exception) -> ToolResult:
    """Return the result that stands for an exception."""
    match error:
        case WrongArguments():
            text = texts.bad_arguments(_detail(error))
        case TryAgain():
            text = texts.try_again(_detail(error))
        case CannotDo():
            text = texts.cannot_do(_detail(error))
        case _:
            kind = type(error).__name__
            decided("E1", outcome="error result", because=f"{name} raised {kind}")
            text = texts.failed(name, kind, _detail(error))
    return ToolResult(text=text, error=True)


def _detail(error: Exception) -> str:
    detail = str(error).strip() or "no detail"
    return detail if len(detail) <= DETAIL_CHARACTERS else detail[: DETAIL_CHARACTERS - 3] + "..."
