"""The simulator as a whole: start it, make people and chats, tell it what shall go wrong, see what was called."""

from __future__ import annotations

from collections.abc import Iterable

from aiohttp import web

from adapters._shared.simulator.calls import CallLog
from adapters._shared.simulator.people import Person
from adapters._shared.simulator.server import LocalServer
from adapters._shared.simulator.signal import Signal
from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.simulator.chats import Chats
from adapters.telegram.simulator.faults import Faults
from adapters.telegram.simulator.membership import Membership
from adapters.telegram.simulator.page import Page
from adapters.telegram.simulator.service import Service
from adapters.telegram.simulator.state import State
from adapters.telegram.simulator.webhook import Webhooks
from adapters.telegram.simulator.wire import BODY_BYTES, Wire
from bot.clock import Clock
from bot.system_clock import SystemClock


class TelegramSimulator:
    """A local Bot API with people who use it.

    Any token works: the number before its colon is the bot's id, and the first token that calls is the bot that
    people and groups talk to unless they name another.
    """

    def __init__(self, *, clock: Clock | None = None, username: str = "deckhand_bot", rate_limits: bool = True) -> None:
        self.state = State(clock or SystemClock(), username=username, rate_limits=rate_limits)
        self.chats = Chats(self.state)
        self.faults = Faults()
        self.membership = Membership(self.state, self.chats)
        self._webhooks = Webhooks(self.state.clock)
        self._wire = Wire(Service(state=self.state, chats=self.chats, webhooks=self._webhooks), self.faults)
        self._page = Page(self.state, self.chats, self.membership, self.faults)
        self._server = LocalServer(self._handle, max_bytes=BODY_BYTES)

    # --- the server -------------------------------------------------------------------------------------

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 takes a free one."""
        await self._server.start(host, port)

    async def stop(self) -> None:
        """End polls and streams, and stop listening. What happened is kept: it can be started again."""
        for bot in self.state.bots.values():
            bot.updates.close()
        self.state.live.end()
        await self._webhooks.close()
        await self._server.stop()

    @property
    def url(self) -> str:
        """The page, and what `TELEGRAM_API_URL` takes."""
        return self._server.url

    @property
    def base_url(self) -> str:
        """What the client library takes as `base_url`."""
        return f"{self.url}/bot"

    @property
    def base_file_url(self) -> str:
        """What the client library takes as `base_file_url`."""
        return f"{self.url}/file/bot"

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        if path.startswith("/bot"):
            return await self._wire.call(request)
        if path.startswith("/file/bot"):
            return self._wire.file(request)
        return await self._page.answer(request)

    # --- people and chats -------------------------------------------------------------------------------

    @property
    def calls(self) -> CallLog:
        """What bots called."""
        return self.state.calls

    @property
    def changed(self) -> Signal:
        """Notified of everything that becomes visible."""
        return self.state.changed

    def bot(self, bot_id: int | None = None, *, username: str | None = None) -> Bot:
        """Return a bot by id, the first one without."""
        return self.state.primary if bot_id is None else self.state.bot(bot_id, username=username)

    def person(self, name: str, *, handle: str | None = None) -> Person:
        """Return a person; the first call with a name makes them."""
        return self.state.people.person(name, handle=handle)

    def private(self, person: Person, *, bot: Bot | None = None) -> Chat:
        """Return a person's private chat with a bot."""
        return self.chats.private(person, bot or self.state.primary)

    def group(self, title: str, people: Iterable[Person], *, supergroup: bool = False) -> Chat:
        """Make a group with the bot in it."""
        kind = "supergroup" if supergroup else "group"
        return self.chats.group(title, people, kind=kind, is_forum=False, bot=self.state.primary)

    def forum(self, title: str, people: Iterable[Person]) -> Chat:
        """Make a supergroup with topics; `add_topic` opens one."""
        return self.chats.group(title, people, kind="supergroup", is_forum=True, bot=self.state.primary)

    def channel(self, title: str, people: Iterable[Person] = ()) -> Chat:
        """Make a channel with the bot as one of its administrators."""
        return self.chats.group(title, people, kind="channel", is_forum=False, bot=self.state.primary)

    # --- membership -------------------------------------------------------------------------------------

    def block(self, chat: Chat) -> None:
        """The person of a private chat blocks the bot."""
        self.membership.block(chat)

    def unblock(self, chat: Chat) -> None:
        self.membership.unblock(chat)

    def kick(self, chat: Chat, bot: Bot | None = None) -> None:
        """Remove a bot from a group."""
        self.membership.kick(chat, bot or self.state.primary)

    def add(self, chat: Chat, bot: Bot | None = None) -> None:
        """Add a bot to a group."""
        self.membership.add(chat, bot or self.state.primary)

    def migrate(self, chat: Chat) -> Chat:
        """Make a supergroup of a group and return it."""
        return self.membership.migrate(chat)
