"""What this platform's rooms are told by the adapter itself."""

from __future__ import annotations

from datetime import datetime

PLACEHOLDER = "…"
"""The first visible message of a run, before there is an answer."""
EMPTY = "There is nothing to show in this answer."
CHOOSE = "Please choose:"
GROWING = "…"
"""Ends a preview that is cut short."""


def typed(label: str, word: str) -> str:
    """Tell what to type instead of a button that does not fit."""
    return f"{label}: type {word}"


def open_until(deadline: datetime) -> str:
    return f"Open until {deadline:%Y-%m-%d %H:%M} UTC"
