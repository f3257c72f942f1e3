"""Trial: the simulator with people and chats to begin with, as `deckhand sim` starts it."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.telegram.simulator.simulator import TelegramSimulator

BOT_ID = 700000001
TOKEN = f"{BOT_ID}:simulated-token"


class Trial:
    """Ann, Bob and Cleo, each with a private chat, a group and a forum."""

    name = "telegram"

    def __init__(self) -> None:
        self._simulator = TelegramSimulator()

    @property
    def url(self) -> str:
        return self._simulator.url

    @property
    def environment(self) -> Mapping[str, str]:
        return {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": self._simulator.url}

    async def start(self, host: str, port: int) -> None:
        await self._simulator.start(host, port)
        simulator = self._simulator
        simulator.bot(BOT_ID)
        people = [simulator.person(name) for name in ("Ann", "Bob", "Cleo")]
        for person in people:
            simulator.private(person)
        simulator.group("Launch crew", people)
        forum = simulator.forum("Engineering", people)
        for title in ("Incidents", "Release"):
            forum.add_topic(title)

    async def stop(self) -> None:
        await self._simulator.stop()


SIMULATOR = Trial
