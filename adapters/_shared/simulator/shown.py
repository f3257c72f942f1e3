"""Shown: a message as a person sees it, whatever the platform. What tests look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from adapters._shared.simulator.people import Person
from adapters._shared.simulator.signal import Signal


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """One message."""

    id: str
    text: str
    """What can be read, without any markup."""
    markup: str = ""
    """The same with its formatting, in a form of the platform's simulator."""
    buttons: tuple[str, ...] = ()
    """Labels that can be pressed, in order."""
    files: tuple[str, ...] = ()
    """Names of what is attached."""
    edits: tuple[str, ...] = ()
    """Earlier texts, oldest first."""
    reply_to: str = ""


class Scene(Protocol):
    """One place of a simulator, as tests drive it."""

    @property
    def changed(self) -> Signal:
        """Notified of everything that becomes visible."""
        ...

    def speak(self, person: Person, text: str, *, reply_to: str = "") -> str:
        """Say something and return the message's id."""
        ...

    def shown(self) -> tuple[Shown, ...]:
        """Return what the bot's messages show now, oldest first."""
        ...

    def press(self, person: Person, message_id: str, label: str) -> str:
        """Press a button and return the press's id; raises `LookupError` when it is not there."""
        ...

    def notice(self, press_id: str) -> str | None:
        """Return what the person who pressed was told privately, None before the bot answered."""
        ...
