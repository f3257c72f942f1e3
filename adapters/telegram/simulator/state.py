"""State: everything that the simulator knows, and how calls find their bot, chat and message."""

from __future__ import annotations

from adapters._shared.simulator.calls import CallLog
from adapters._shared.simulator.live import Live
from adapters._shared.simulator.people import People, Person
from adapters._shared.simulator.signal import Signal
from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.files import Files
from adapters.telegram.simulator.limits import Limiter
from adapters.telegram.simulator.presses import Presses
from adapters.telegram.simulator.updates import UpdateQueue
from bot.clock import Clock

FIRST_PERSON = 1001
DEFAULT_BOT = 4242


class State:
    """What outlives a single call."""

    def __init__(self, clock: Clock, *, username: str, rate_limits: bool) -> None:
        self.clock = clock
        self.people = People(first_id=FIRST_PERSON)
        self.files = Files()
        self.calls = CallLog()
        self.live = Live()
        self.changed = Signal()
        self.limiter = Limiter(clock, enabled=rate_limits)
        self.presses = Presses(clock)
        self.username = username
        self.bots: dict[int, Bot] = {}
        self.primary = self._make(DEFAULT_BOT, username)

    def _make(self, bot_id: int, username: str) -> Bot:
        bot = Bot(id=bot_id, username=username, updates=UpdateQueue(self.clock))
        self.bots[bot_id] = bot
        return bot

    def bot(self, bot_id: int, *, username: str | None = None) -> Bot:
        """Return the bot of this id. The first one that is named takes the place of the default one."""
        found = self.bots.get(bot_id)
        if found is None and not self.primary.claimed:
            found = self.primary
            del self.bots[found.id]
            found.id = bot_id
            self.bots[bot_id] = found
        if found is None:
            found = self._make(bot_id, f"{self.username.removesuffix('_bot')}_{bot_id}_bot")
        found.claimed = True
        if username is not None:
            found.username = username
        return found

    def now(self) -> int:
        """The time of day as messages carry it."""
        return int(self.clock.now().timestamp())

    def user_json(self, person: Person) -> dict[str, object]:
        """https://core.telegram.org/bots/api#user"""
        body: dict[str, object] = {"id": person.id, "is_bot": False, "first_name": person.name}
        if person.handle:
            body["username"] = person.handle
        body["language_code"] = "en"
        return body
