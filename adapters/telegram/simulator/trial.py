"""Trial: the simulator furnished with a few people and chats, for trying a bot by hand."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.telegram.simulator.simulator import TelegramSimulator

TOKEN = "4242:simulated"


class Trial:
    """Fulfils `bot.simulator.Simulator`."""

    name = "telegram"

    def __init__(self) -> None:
        self.simulator = TelegramSimulator()

    @property
    def url(self) -> str:
        return self.simulator.url

    @property
    def environment(self) -> Mapping[str, str]:
        return {"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": self.simulator.url}

    async def start(self, host: str, port: int) -> None:
        await self.simulator.start(host, port)
        furnish(self.simulator)

    async def stop(self) -> None:
        await self.simulator.stop()


def furnish(simulator: TelegramSimulator) -> None:
    """Make a few people, private chats for two of them, a group and a forum."""
    ann, bob, cleo = (simulator.person(name) for name in ("Ann", "Bob", "Cleo"))
    simulator.private(ann)
    simulator.private(bob)
    simulator.group("Launch team", [ann, bob, cleo])
    forum = simulator.forum("Operations", [ann, bob, cleo])
    for name in ("Deploys", "Incidents"):
        forum.add_topic(name)
    # All this was there before the bot came: it is not told of it.
    simulator.bot().updates.drop_pending()


SIMULATOR = Trial
