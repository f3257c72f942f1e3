"""Telegram on trial: the simulator, spoken to by the real client library."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from adapters import telegram
from adapters._shared.simulator.bodies import Upload
from adapters._shared.simulator.shown import Shown
from adapters.telegram import ADAPTER
from adapters.telegram.simulator import TelegramSimulator
from bot.adapter import Toolkit
from bot.events import Room
from tests.contracts.rigs._trial import POST, RETRY_AFTER, Rig, Trial, Trouble, checklist
from tests.support.house import HurriedClock
from tests.support.until import until
from tests.support.web_page import COMMANDS

TOKEN = "700000001:a-token-that-nobody-may-read"
_ANSWERS = checklist(Path(telegram.__path__[0]))


class TelegramTrial(Trial):
    """Ann's private chat with the bot, and a forum of hers."""

    adapter = ADAPTER
    answers = _ANSWERS
    secrets = (TOKEN, TOKEN.partition(":")[2])

    def __init__(self, simulator: TelegramSimulator, home: Path) -> None:
        self._simulator = simulator
        self._home = home
        self._clock = HurriedClock(100.0)
        self._url = simulator.url
        self._port = int(simulator.url.rpartition(":")[2])

    def furnish(self) -> None:
        """Make the chats; the bot must have signed in before, or nobody knows whose they are."""
        ann = self._simulator.person("Ann")
        self._ann = ann
        self._private = self._simulator.private(ann)
        forum = self._simulator.forum("Team", [ann])
        plans = forum.add_topic("Plans")
        self.room = self._room(self._private.id)
        self.topics = (self._room(forum.id), self._room(forum.id, str(plans.id)))
        # The notes of the making are nobody's words.
        self._simulator.bot().updates.drop_pending()

    def _room(self, chat: int, topic: str = "") -> Room:
        return Room(platform="telegram", workspace=self.connection.account, chat=str(chat), topic=topic)

    # --- the person -------------------------------------------------------------------------------------

    async def say(self, text: str, room: Room | None = None) -> str:
        room = room or self.room
        chat = self._simulator.chats.by_key(room.chat)
        assert chat is not None
        return str(chat.say(self._ann, text, topic=int(room.topic) if room.topic else None).id)

    async def send(self, *files: tuple[str, bytes]) -> None:
        chat = self._private
        group = chat.new_album() if len(files) > 1 else ""
        for name, data in files:
            chat.send_document(self._ann, Upload(name=name, data=data), group=group)

    async def press(self, message_id: str, place: int) -> None:
        message = self._private.messages[int(message_id)]
        self._private.click(self._ann, message, message.buttons[place])

    async def edit(self, message_id: str, text: str) -> None:
        self._private.edit(self._private.messages[int(message_id)], text)

    async def shown(self, room: Room | None = None) -> Sequence[Shown]:
        room = room or self.room
        chat = self._simulator.chats.by_key(room.chat)
        assert chat is not None
        here = {
            str(message.id)
            for message in chat.messages.values()
            if (str(message.thread_id) if message.is_topic else "") == room.topic
        }
        return [one for one in chat.shown() if one.id in here]

    # --- the platform -----------------------------------------------------------------------------------

    async def garble(self) -> None:
        self._simulator.bot().updates.push("message", {"text": 5})

    async def take_away(self, message_id: str) -> None:
        self._private.delete(self._private.messages[int(message_id)])

    async def closed(self) -> Room:
        chat = self._simulator.private(self._simulator.person("Bob"))
        self._simulator.block(chat)
        return self._room(chat.id)

    async def strike(self, trouble: Trouble, call: str) -> None:
        method, faults = "sendMessage" if call == POST else "editMessageText", self._simulator.faults
        match trouble:
            case Trouble.RATE_LIMITED:
                faults.too_fast(method, retry_after=int(RETRY_AFTER))
            case Trouble.REFUSED:
                faults.cannot_parse(method)
            case Trouble.UNREACHABLE:
                await self._hang_up()
            case Trouble.LOST_ANSWER:
                faults.lose_answer(method)
            case Trouble.BROKEN:
                faults.server_error(method)

    async def _hang_up(self) -> None:
        await self._simulator.stop()
        # A connection that is found broken only while it is used may have carried the call: let its end be seen first.
        for _ in range(5):
            await asyncio.sleep(0)

    async def heal(self) -> None:
        self._simulator.faults.clear()
        if self._simulator.url != self._url:
            await self._simulator.start(port=self._port)

    async def settled(self) -> None:
        updates = self._simulator.bot().updates
        await until(lambda: not updates.pending and updates.is_polled)

    def complaints(self) -> Sequence[str]:
        return self._simulator.calls.problems()

    # --- the account ------------------------------------------------------------------------------------

    def toolkit(self) -> Toolkit:
        return self._toolkit(TOKEN)

    def bad_toolkit(self) -> Toolkit:
        return self._toolkit(TOKEN.replace(":", "-"))

    def _toolkit(self, token: str) -> Toolkit:
        return Toolkit(
            environment={"TELEGRAM_TOKEN": token, "TELEGRAM_API_URL": self._url},
            options=ADAPTER.options,
            home=self._home,
            clock=self._clock,
            commands=COMMANDS,
            ports={},
        )


@asynccontextmanager
async def _start(home: Path) -> AsyncIterator[Trial]:
    simulator = TelegramSimulator(rate_limits=False)
    await simulator.start()
    trial = TelegramTrial(simulator, home)
    trial.connection = await ADAPTER.open(trial.toolkit())
    trial.furnish()
    try:
        yield trial
    finally:
        await trial.connection.close()
        await simulator.stop()


RIG = Rig(name="telegram", adapter=ADAPTER, answers=_ANSWERS, start=_start)
