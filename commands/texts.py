"""What commands say to people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.desk import CommandFacts, ModelFacts, ThreadFacts, UsageLine
from bot.people import Role
from bot.wording import code, count, duration, number, one_line, usd

# --- /new, /stop ----------------------------------------------------------------------------------------

NEW = "This is a new conversation: I no longer look at what was said here before."
STOPPING = "I stop what I was doing here."
NOTHING_RUNS = "Nothing is running here."


def dropped(waiting: int) -> str:
    """Say that work which had not begun is cancelled."""
    return f"Nothing was running here; I cancelled {count(waiting, 'request')} that {_was(waiting)} waiting."


def stopping(waiting: int) -> str:
    """Say that the run is being stopped, and what comes after it."""
    if not waiting:
        return STOPPING
    return f"{STOPPING} {count(waiting, 'request')} {_is(waiting)} still waiting; send `/stop` again to cancel more."


def _is(value: int) -> str:
    return "is" if value == 1 else "are"


def _was(value: int) -> str:
    return "was" if value == 1 else "were"


# --- /status -----------------------------------------------------------------------------------------------


NO_MODEL = "No model is set up."


def default_model(name: str) -> str:
    return f"Model: {code(name)} (the default)."


def pinned_model(name: str) -> str:
    return f"Model: {code(name)} (pinned here)."


def in_place_of(pinned: str, name: str) -> str:
    return f"Model: {code(name)} (in place of {code(pinned)}, which is no longer set up)."


def status(facts: ThreadFacts, *, now: datetime, model: str) -> str:
    """Tell what goes on in this conversation."""
    lines = [
        _work(facts, now),
        f"Conversation {facts.thread_id}, {count(facts.items, 'entry', 'entries')} long.",
        model,
    ]
    return "\n".join(f"- {line}" for line in lines)


def _work(facts: ThreadFacts, now: datetime) -> str:
    if not facts.running:
        return f"{count(facts.queued, 'request')} {_is(facts.queued)} waiting." if facts.queued else "I am idle here."
    since = "" if facts.running_since is None else f" for {duration((now - facts.running_since).total_seconds())}"
    waiting = f"; {count(facts.queued, 'request')} {_is(facts.queued)} waiting" if facts.queued else ""
    return f"I have been working here{since}{waiting}." if since else f"I am working here{waiting}."


# --- /models, /model ----------------------------------------------------------------------------------------

NO_MODELS = "No model is set up. The operator adds one under `[[models]]` in `bot.toml`."
AUTOMATIC = "Automatic"
FOLLOWS_DEFAULT = "From now on this conversation uses the agent's own model again."


def models(profiles: Sequence[ModelFacts], current: str, default: str) -> str:
    """List the models."""
    lines = (f"- {_model(profile, current, default=profile.name == default)}" for profile in profiles)
    return "\n".join(("Models:", *lines, "", "`/model NAME` chooses one for this conversation."))


def _model(profile: ModelFacts, current: str, *, default: bool) -> str:
    marks = [mark for mark, holds in (("default", default), ("in use here", profile.name == current)) if holds]
    abilities = [word for word, has in (("images", profile.vision), ("tools", profile.tools)) if has]
    facts = ", ".join([f"{number(profile.context_tokens)} tokens of context", *abilities])
    title = f" {one_line(profile.title)}" if profile.title and profile.title != profile.name else ""
    mark = f" ({', '.join(marks)})" if marks else ""
    return f"{code(profile.name)}{title}{mark}: {facts}"


def current_model(name: str, *, pinned: bool) -> str:
    """Tell which model a conversation uses."""
    if pinned:
        return f"This conversation uses {code(name)}. `/model auto` goes back to the agent's own."
    return f"This conversation uses the agent's own model; the default is {code(name)}. `/model NAME` chooses another."


def vanished_model(name: str, default: str) -> str:
    """Tell that the pinned model is set up no more."""
    return f"This conversation is pinned to {code(name)}, which is no longer set up, so {code(default)} answers."


def model_pinned(name: str) -> str:
    """Say that the model was chosen."""
    return f"From now on this conversation uses {code(name)}."


def unknown_model(name: str, nearest: str) -> str:
    """Refuse a model that is not set up, naming the nearest one that is."""
    return f"There is no model {code(name)}. Did you mean {code(nearest)}? `/models` lists them all."


# --- /help -----------------------------------------------------------------------------------------------------

HELP_CHAT = "Anything else is a conversation: just write to me."


def help_all(commands: Iterable[CommandFacts]) -> str:
    """List what one may say."""
    return "\n".join(f"- {_command(command)}" for command in commands)


def help_one(command: CommandFacts) -> str:
    """Explain one command."""
    return f"{_command(command)}\n\nWho may use it: {_who(command.role)}."


def unknown_command(name: str, nearest: str) -> str:
    """Say that there is no such command, naming the nearest one."""
    return f"There is no command {code('/' + name)}. Did you mean {code('/' + nearest)}? `/help` lists them all."


def _command(command: CommandFacts) -> str:
    usage = f"/{command.name} {command.usage}".strip()
    return f"`{usage}`: {command.summary}"


def _who(role: Role) -> str:
    return "everyone" if role is Role.GUEST else f"{role.label}s and above" if role < Role.OWNER else "the owner"


# --- /usage ----------------------------------------------------------------------------------------------------


def usage(scopes: Sequence[tuple[str, Sequence[UsageLine], Sequence[UsageLine]]]) -> str:
    """Tell what the models took: each scope today and in 30 days, then the last scope by model."""
    rows = [row for scope, today, month in scopes for row in (_sum(scope, "today", today), _sum("", "30 days", month))]
    table = ["| | | Tokens in | Tokens out | Cost |", "|---|---|---:|---:|---:|", *rows]
    name, _, month = scopes[-1]
    by_model = [_line(line) for line in month]
    text = "\n".join(table)
    if by_model:
        text += f"\n\n{name}, 30 days, by model:\n\n" + "\n".join(by_model)
    return f"{text}\n\nDays begin at midnight UTC."


def _sum(scope: str, period: str, lines: Sequence[UsageLine]) -> str:
    tokens_in = number(sum(line.tokens_in for line in lines))
    tokens_out = number(sum(line.tokens_out for line in lines))
    return f"| {scope} | {period} | {tokens_in} | {tokens_out} | {usd(sum(line.cost_usd for line in lines))} |"


def _line(line: UsageLine) -> str:
    tokens = f"{number(line.tokens_in)} tokens in, {number(line.tokens_out)} out"
    return f"- {code(line.model)}: {count(line.runs, 'run')}, {tokens}, {usd(line.cost_usd)}"


# --- every command -----------------------------------------------------------------------------------------------


def not_for_you(name: str, role: Role) -> str:
    """Say that somebody's role does not suffice."""
    return f"`/{name}` is for {_who(role)}. An administrator can change your role."


def failed(name: str, because: str) -> str:
    """Say that a command could not do its work; nothing was changed."""
    return f"`/{name}` did not work: {one_line(because, most=300)}. Nothing was changed."
