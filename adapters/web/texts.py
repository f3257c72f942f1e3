"""What people read on the page and in its answers."""

from __future__ import annotations

EMPTY = "There is nothing to show in this answer."
UNTITLED = "New conversation"
STOP = "Stop"

WRONG_CODE = "This code is wrong, used or too old. Ask whoever runs the bot for a new one."
NO_CODE = "Please enter the code."
STALE_FORM = "The page was open for too long. Please try again."
SIGN_IN_AGAIN = "You are signed out. Reload the page to sign in."
NOT_YOURS = "There is no such conversation."
NO_SUCH_FILE = "There is no such file."
NO_SUCH_BUTTON = "This button is no longer there."
NOTHING_SAID = "Please write something or add a file."
BAD_REQUEST = "The page sent something that could not be understood. Reload it and try again."
STARTING = "The bot is just starting. Please try again in a moment."
FOREIGN_ORIGIN = "This request came from another site and was refused."


def too_many_codes(seconds: int) -> str:
    return f"Too many wrong codes. Please try again in {seconds} s."


def foreign_host(host: str) -> str:
    return f"The bot is not served as {host}. If it should be, set public_url in [adapters.web] of bot.toml."


def too_long(limit: int) -> str:
    return f"A message may have {limit} characters. Send the rest as a file."


def too_large(name: str, limit: int) -> str:
    return f"{name} is larger than {megabytes(limit)}."


def too_many_files(limit: int) -> str:
    return f"A message may carry {limit} files."


def upload_lost(name: str) -> str:
    return f"{name} could not be read to its end. Please add it again."


def not_stored(name: str) -> str:
    return f"{name} could not be stored on the bot's disk. Tell whoever runs the bot."


def missing_field(label: str) -> str:
    return f"Please fill in: {label}"


def not_an_option(label: str) -> str:
    return f"{label}: please choose one of the options."


def megabytes(count: int) -> str:
    return f"{count / 1_000_000:.1f}".removesuffix(".0") + " MB"


def size(count: int) -> str:
    if count < 1_000:
        return f"{count} B"
    if count < 1_000_000:
        return f"{count / 1_000:.0f} kB"
    return megabytes(count)
