"""Crowd: people at the simulated platform who ask, and what must stand in their chats in the end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from adapters.telegram.simulator import TelegramSimulator
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.texts import PLACEHOLDER
from tests.support.until import until

TOKEN = re.compile(r"question-\d+")
STATUS = "Model: scripted"
"""What only the answer to `/status` says."""

PACED = " ".join(f"word{number}" for number in range(1, 16))
PACE_SECONDS = 0.1
"""An answer that grows word by word for one and a half seconds, so that previews of it are shown."""


@dataclass(slots=True)
class Talk:
    """One chat, and what was asked there in order."""

    chat: Chat
    asked: dict[str, str] = field(default_factory=dict)
    """Each question, and how its answer ends when it is complete."""
    statuses: int = 0

    @property
    def shown(self) -> list[str]:
        """What the bot's messages show now, without placeholders."""
        return [text for text in self._texts if text != PLACEHOLDER]

    @property
    def strays(self) -> int:
        return self._texts.count(PLACEHOLDER)

    @property
    def answered(self) -> list[str]:
        """The questions whose complete answer stands, in the order in which answers stand."""
        found = [(token, text) for text in self.shown if text.startswith("answer to") for token in TOKEN.findall(text)]
        return [token for token, text in found if text.endswith(self.asked[token])]

    @property
    def complete(self) -> bool:
        return self.answered == list(self.asked) and self._statuses == self.statuses

    def check(self, *, deaths: int) -> None:
        """Check that nothing was lost, shown twice or out of order."""
        assert self.answered == list(self.asked), f"asked {self.asked}, shown {self.shown}"
        assert self._statuses == self.statuses, f"{self.statuses} control words, shown {self.shown}"
        assert len(self.shown) == len(self.asked) + self.statuses, f"something else is shown: {self.shown}"
        assert self.strays <= deaths, f"{self.strays} stray placeholders after {deaths} deaths"

    @property
    def _texts(self) -> list[str]:
        messages = sorted(self.chat.messages.values(), key=lambda message: message.id)
        return [message.content.styled.text for message in messages if message.bot_id is not None]

    @property
    def _statuses(self) -> int:
        return sum(STATUS in text for text in self.shown)


class Crowd:
    """Asks in many chats at once, each time in new ones."""

    def __init__(self, simulator: TelegramSimulator) -> None:
        self._simulator = simulator
        self._count = 0
        self.talks: list[Talk] = []

    def ask(self, *, paced: bool = False) -> None:
        """Ask one question alone, one with a tool, one with a control word beside it, and four in a group."""
        if paced:
            self.ask_slowly()
        self._question(self._private())
        self._question(self._private(), '#tool calculate {"expression": "6*7"}', end=": 42")
        beside = self._private()
        self._question(beside)
        beside.chat.say(beside.chat.people[0], "/status")
        beside.statuses += 1
        ann, bob = (self._simulator.person(name) for name in ("Ann", "Bob"))
        group = self._talk(self._simulator.group(f"Group {self._count}", [ann, bob]))
        for person in (ann, bob, ann, bob):
            token = self._token()
            group.asked[token] = token
            group.chat.say(person, f"@{self._simulator.bot().username} {token}")

    def ask_slowly(self, pace: float = PACE_SECONDS) -> Talk:
        """Ask something whose answer grows slowly."""
        talk = self._private()
        self._question(talk, f"#pace {pace} {PACED}", end=PACED)
        return talk

    def ask_many(self, chats: int) -> None:
        """Ask one question in each of so many chats."""
        for _ in range(chats):
            self._question(self._private())

    async def answered(self, seconds: float = 60.0) -> None:
        """Wait until every question has its answer; the chats of those that have none tell when it takes too long."""
        try:
            await until(lambda: all(talk.complete for talk in self.talks), seconds)
        except TimeoutError:
            open_talks = [(talk.asked, talk.shown) for talk in self.talks if not talk.complete]
            raise AssertionError(f"not answered in {seconds:g} s: {open_talks}") from None

    def check(self, *, deaths: int) -> None:
        for talk in self.talks:
            talk.check(deaths=deaths)

    def _private(self) -> Talk:
        return self._talk(self._simulator.private(self._simulator.person(f"Person {len(self.talks)}")))

    def _talk(self, chat: Chat) -> Talk:
        talk = Talk(chat=chat)
        self.talks.append(talk)
        return talk

    def _question(self, talk: Talk, text: str = "", *, end: str = "") -> None:
        token = self._token()
        talk.asked[token] = end or token
        talk.chat.say(talk.chat.people[0], f"{token} {text}".strip())

    def _token(self) -> str:
        self._count += 1
        return f"question-{self._count}"
