"""Connection: one account, signed in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import structlog
from telegram.error import InvalidToken, TelegramError

from adapters.telegram import texts
from adapters.telegram.api import Api
from adapters.telegram.chores import Chores
from adapters.telegram.errors import translate
from adapters.telegram.facts import NAME
from adapters.telegram.files import fetch
from adapters.telegram.inlet import Inlet
from adapters.telegram.listen import Poller
from adapters.telegram.menu import publish
from adapters.telegram.receive import ALLOWED_UPDATES
from adapters.telegram.send import Sender
from adapters.telegram.settings import TelegramSettings, read_settings
from adapters.telegram.webhook import PATH, Webhook, address
from bot.adapter import Connection, Deliver, Toolkit
from bot.clock import Clock
from bot.errors import StartError, StorageBusy
from bot.events import Attachment, Author, Event, Kind, Room
from bot.replies import Part

log = structlog.get_logger("telegram")

SIGN_IN_TRIES = 4
SIGN_IN_SECONDS = 1.0


class TelegramConnection:
    """The account: a way in, a way out, and what runs beside them."""

    def __init__(
        self, api: Api, source: Poller | Webhook, chores: Chores, clock: Clock, *, link_previews: bool
    ) -> None:
        self._api = api
        self._source = source
        self._chores = chores
        self._clock = clock
        self._sender = Sender(api, self._tell_moved, link_previews=link_previews)
        self._deliver: Deliver | None = None

    @property
    def account(self) -> str:
        return str(self._api.id)

    @property
    def listens_alone(self) -> bool:
        # A second poller ends the first one's call; a webhook may be served by every worker.
        return isinstance(self._source, Poller)

    async def listen(self, deliver: Deliver) -> None:
        self._deliver = deliver
        await self._source.run(deliver)

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        # The platform knows no idempotency key: what protects an answer is its placeholder.
        return await self._sender.post(room, part, anchor=anchor)

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        await self._sender.fill(room, message_id, part)

    async def remove(self, room: Room, message_id: str) -> None:
        await self._sender.remove(room, message_id)

    async def find(self, room: Room, *, key: str) -> str | None:
        # Bots cannot read a chat's history.
        return None

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        await fetch(self._api, attachment, into, limit=limit)

    async def close(self) -> None:
        await self._chores.close()
        await self._api.close()

    async def _tell_moved(self, room: Room, to: Room) -> None:
        """Tell intake about a move that we learned from a refusal; its own notice may be long past."""
        if self._deliver is None:
            return
        event = Event(
            id=f"{NAME}:{self.account}:moved:{room.chat}:{to.chat}",
            kind=Kind.MOVED,
            room=room,
            author=Author(id=""),
            received_at=self._clock.now(),
            moved_to=to,
            raw_kind="migrate_to_chat_id",
        )
        try:
            await self._deliver([event])
        except StorageBusy as error:
            # The next call into the old chat tells us again.
            log.warning("move_not_stored", room=room.key, because=str(error))


async def open_connection(toolkit: Toolkit) -> Connection:
    """Sign in. Webhook mode takes the port `web` (`webhook.Web`); the port `watch` is told of malformed updates."""
    settings = read_settings(toolkit)
    api = await sign_in(settings, toolkit.clock)
    chores = Chores()
    inlet = Inlet(api, toolkit.clock, chores, _malformed(toolkit))
    try:
        source = await _source(api, inlet, settings, toolkit)
    except BaseException:
        await api.close()
        raise
    chores.start("menu", partial(publish, api, toolkit.commands))
    return TelegramConnection(api, source, chores, toolkit.clock, link_previews=settings.link_previews)


def _malformed(toolkit: Toolkit) -> Callable[[str], None]:
    watch = toolkit.ports.get("watch")
    return watch.malformed if watch is not None else lambda platform: None


async def sign_in(settings: TelegramSettings, clock: Clock) -> Api:
    """Return the account behind the token. Raises `StartError`."""
    try:
        api = Api(settings.token, settings.api_url)
        await _start(api, settings, clock)
    except InvalidToken:
        # Its text holds the token.
        raise StartError(texts.TOKEN_REJECTED) from None
    return api


async def _start(api: Api, settings: TelegramSettings, clock: Clock) -> None:
    for attempt in range(1, SIGN_IN_TRIES + 1):
        try:
            await api.start()
            return
        except InvalidToken:
            await api.close()
            raise
        except TelegramError as error:
            because = str(translate(error, repeatable=True))
        except (KeyError, TypeError):
            await api.close()
            raise StartError(texts.no_bot_api(settings.api_url)) from None
        log.warning("sign_in_failed", attempt=attempt, because=because)
        if attempt < SIGN_IN_TRIES:
            await clock.sleep(SIGN_IN_SECONDS * 2 ** (attempt - 1))
    await api.close()
    raise StartError(texts.unreachable(because))


async def _source(api: Api, inlet: Inlet, settings: TelegramSettings, toolkit: Toolkit) -> Poller | Webhook:
    if not settings.webhook_url:
        # What waits at the platform is kept: people wrote it while we were away.
        await _register(api, "deleteWebhook")
        return Poller(api, inlet, toolkit.clock, poll_seconds=settings.poll_seconds)
    server = toolkit.ports.get("web")
    if server is None:
        raise StartError(texts.NO_WEB_SERVER)
    webhook = Webhook(inlet, settings.webhook_secret)
    server.add_post(PATH, webhook.handle)
    await _register(
        api,
        "setWebhook",
        url=address(settings.webhook_url),
        secret_token=settings.webhook_secret,
        allowed_updates=ALLOWED_UPDATES,
    )
    return webhook


async def _register(api: Api, method: str, **parameters: Any) -> None:
    try:
        await api.call(method, **parameters)
    except TelegramError as error:
        raise StartError(texts.not_registered(method, str(translate(error, repeatable=True)))) from error
