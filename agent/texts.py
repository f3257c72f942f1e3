"""What the agent says to people, and the few words it says to the model in a person's place."""

from __future__ import annotations

from collections.abc import Sequence

from bot.wording import count, number, one_line

# --- to people ------------------------------------------------------------------------------------------

STOPPED = "(stopped)"
NO_ANSWER = "The model gave no answer. Please ask again, perhaps in other words."
NO_ANSWER_AFTER_TOOLS = "I used my tools, but then the model gave no answer. Please ask again."
CUT_SHORT = "(My answer became too long and was cut off here.)"
CALLS_CUT = "(My answer became too long, so the actions that I had begun to write were not carried out.)"
FILTERED = "The model's provider stopped this answer for safety reasons, so nothing that it asked for was carried out."
NOT_CONFIGURED = "I could not answer: my model is not set up correctly. An administrator finds the reason in the log."


def step_limit(steps: int) -> str:
    """Say that the run was ended before it had an answer."""
    return (
        f"I stopped after {count(steps, 'step')}, as many as I may take at once, and have no final answer yet. "
        "Say “go on” and I will continue from here."
    )


def presented(names: Sequence[str]) -> str:
    """Name the files of an answer that has no words of its own."""
    return f"Here {'is' if len(names) == 1 else 'are'} {', '.join(map(one_line, names))}."


def missing_files(names: Sequence[str]) -> str:
    """Tell that files were promised which cannot be handed over any more."""
    return f"(I could not attach {', '.join(map(one_line, names))}: it is gone.)"


# --- to the model, beside a person's message -----------------------------------------------------------------

NO_TEXT = "(no text)"


def not_fetched(name: str, because: str) -> str:
    """Note beside a message that one of its files is missing."""
    return f"the file {one_line(name)} could not be fetched: {one_line(because, most=200)}"


FILE_NOT_BEGUN = "the work on this message never began"
FILE_STOPPED = "the person stopped the work"
FILE_SILENT = "the platform did not hand it over"
FILE_UNWRITTEN = "it could not be stored here"


def file_too_large(size: int, most: int) -> str:
    """Say why a file was not even asked for."""
    return f"it has {number(size)} bytes, and at most {number(most)} are fetched"


# --- to the model, as the result of a call -----------------------------------------------------------------

UNKNOWN_OUTCOME = (
    "Unknown outcome: this call was under way when the work was interrupted, so it may or may not have had its effect. "
    "Do not simply repeat it; find out first, or ask."
)
CALL_STOPPED = "Not finished: the person stopped this."


def unknown_tool(name: str, known: Sequence[str]) -> str:
    """Answer a call of a tool that does not exist."""
    return f"There is no tool named {one_line(name)!r}. The tools are: {', '.join(known) or 'none'}."


def bad_arguments(because: str) -> str:
    """Answer a call whose arguments cannot be read."""
    return f"The call was not carried out, its arguments are wrong: {because}. Correct them and call again."


def too_slow(seconds: float) -> str:
    """Answer a call that did not end in time."""
    return f"The tool did not finish within {seconds:g} s and was ended. Try something smaller, or another tool."


def failed(name: str, kind: str, detail: str) -> str:
    """Answer a call whose tool broke."""
    return f"{name} failed ({kind}): {detail}\nGo on without this result, or choose another tool."


def try_again(because: str) -> str:
    """Answer a call that may work in another form."""
    return f"{because}. Correct that and call again."


def cannot_do(because: str) -> str:
    """Answer a call that will not work in any form."""
    return f"{because}. Do not call it again like this."


# --- to the model, in the view of a history that lacks something ---------------------------------------------------

INTERRUPTED = "Interrupted: there is no result of this call, and it may or may not have had its effect."
WRITE_FILE_CUT = (
    "The call was not carried out: its arguments broke off. Write long files in several smaller pieces, one call each."
)


def broken_arguments(detail: str) -> str:
    """Stand in for the result of a call whose arguments were no JSON object."""
    return f"The call was not carried out, its arguments are no JSON object: {detail}"


def cut_middle(characters: int) -> str:
    """Mark in the view where a long result was cut."""
    return f"\n[… {count(characters, 'character')} left out …]\n"
