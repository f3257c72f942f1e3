"""What the path itself says to people."""

from __future__ import annotations

from bot.wording import count, duration, number, one_line, usd

# --- who may speak ------------------------------------------------------------------------------------

REFUSED = "I am not allowed to talk to you yet. Ask an administrator of this bot to let you in."
NO_ADMINISTRATOR = (
    "I have no administrator yet. If you set me up, send me the code that I printed when I started for the first time."
)
NOT_THE_CODE = (
    "That is not the code. I have no administrator yet: send me the code that I printed when I started for the "
    "first time, alone or as `/connect CODE`."
)
CODE_REFUSED = "That code is wrong, used up or too old. Ask for a new one."
CODE_WANTED = "Send the code with it: `/connect CODE`."
CONNECTED = "The code was right: this account is connected now."
GREETING = "Hello! Write to me as you would to a colleague, or send `/help` to see what I can do."
GUESTS_ONLY_HELP = "As a guest you can only read `/help`. An administrator can give you a role that may do more."


def welcome(name: str) -> str:
    """Greet the first administrator."""
    greeting = f"Welcome, {one_line(name)}." if name.strip() else "Welcome."
    return f"{greeting} You are my administrator now. Write to me about anything, or send `/help`."


# --- too much, too fast ---------------------------------------------------------------------------------


def too_fast(seconds: float, per_minute: int) -> str:
    """Tell a person that their messages are answered later."""
    return (
        f"You write faster than I may answer ({count(per_minute, 'message')} a minute). "
        f"I will go on in about {duration(max(1.0, seconds))}; nothing is lost."
    )


def room_too_fast(seconds: float, per_minute: int) -> str:
    """Tell a room that its messages are answered later."""
    return (
        f"There is more written here than I may answer ({count(per_minute, 'message')} a minute). "
        f"I will go on in about {duration(max(1.0, seconds))}; nothing is lost."
    )


def cut(total: int, kept: int) -> str:
    """Tell a person that their message was too long."""
    return (
        f"Your message has {number(total)} characters; I read only the first {number(kept)}. "
        "Send the rest in a further message, or the whole as a file."
    )


def cut_mark(total: int) -> str:
    """End a text that was cut, for whoever reads it later."""
    return f"\n[cut here: the message had {number(total)} characters]"


def over_budget(limit: float) -> str:
    """Say that today's money is spent."""
    return (
        f"I have spent what I may spend in one day ({usd(limit)}), so I start nothing new now. "
        "Please try again tomorrow, or ask an administrator to raise the limit."
    )


# --- how it ended -----------------------------------------------------------------------------------------

APOLOGY = "Something went wrong on my side, so I could not finish this. The operator finds the reason in the log."
BUSY = "My database does not answer right now. Nothing was changed; please try again in a moment."
STOPPED = "Stopped."
NOTHING_TO_RETRY = "There is nothing to answer again here."


def not_shown(because: str) -> str:
    """Tell the room that a message could not be shown there."""
    return f"I could not show one message here: {one_line(because, most=300)}."


def late_digest(messages: int) -> str:
    """Say in one line what came too late to be worth showing."""
    if messages == 1:
        return "1 older message could not be delivered in time and was left out."
    return f"{count(messages, 'older message')} could not be delivered in time and were left out."


def ready(mention: str) -> str:
    """Alert whoever asked that a long run has ended; the mention is the platform's own."""
    return f"{mention} I am done: the answer is above."
