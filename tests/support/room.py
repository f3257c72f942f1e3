"""Room: speak as a person, read what the bot said, press what it offered. Waits without sleeping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from adapters._shared.simulator.people import Person
from adapters._shared.simulator.shown import Scene, Shown

T = TypeVar("T")

SECONDS = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """One person in one place of a simulator."""

    scene: Scene
    person: Person
    seconds: float = SECONDS
    """How long to wait for anything before the test fails."""

    def say(self, text: str, *, reply_to: Shown | None = None) -> str:
        """Say something and return its id."""
        return self.scene.speak(self.person, text, reply_to=reply_to.id if reply_to else "")

    @property
    def messages(self) -> tuple[Shown, ...]:
        """What the bot's messages show now, oldest first."""
        return self.scene.shown()

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]

    @property
    def last(self) -> Shown:
        """The bot's latest message."""
        shown = self.messages
        assert shown, "the bot has said nothing"
        return shown[-1]

    async def until(self, condition: Callable[[], T | None]) -> T:
        """Return the condition's first true value; fails with what stands here."""
        try:
            return await self.scene.changed.until(condition, self.seconds)
        except TimeoutError:
            raise AssertionError(f"nothing came in {self.seconds:g} s; the bot's messages: {self.texts}") from None

    async def sees(self, words: str) -> Shown:
        """Wait until a message of the bot holds these words, and return it."""
        return await self.until(lambda: next((one for one in self.messages if words in one.text), None))

    async def shows(self, count: int) -> tuple[Shown, ...]:
        """Wait until the bot's messages are so many."""
        return await self.until(lambda: self.messages if len(self.messages) >= count else None)

    async def asks(self, text: str, words: str) -> Shown:
        """Say something and wait for these words."""
        self.say(text)
        return await self.sees(words)

    async def offers(self, label: str) -> Shown:
        """Wait until a message of the bot has this button, and return it."""
        return await self.until(lambda: next((one for one in reversed(self.messages) if label in one.buttons), None))

    async def press(self, label: str, *, on: Shown | None = None) -> str:
        """Press a button, the latest of this label, and return what the bot tells privately to it."""
        message = on or await self.offers(label)
        press = self.scene.press(self.person, message.id, label)
        await self.until(lambda: self.scene.notice(press) is not None)
        return self.scene.notice(press) or ""
