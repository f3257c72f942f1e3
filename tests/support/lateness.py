"""Lateness: a connection whose previews are still under way when their sender is dead."""

from __future__ import annotations

import asyncio

from bot.events import Room
from bot.replies import Part
from tests.support.paper import Desk, PaperConnection


class LateConnection(PaperConnection):
    """Holds every edit up on its way, until `arrive` lets all of them happen at once."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._late_desk = desk
        self.under_way: list[tuple[str, str]] = []

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        self.under_way.append((message_id, str(part.body["text"])))
        await asyncio.Event().wait()

    def arrive(self) -> None:
        """Let what is under way reach the platform."""
        for message_id, text in self.under_way:
            sheet = self._late_desk.sheets[message_id]
            sheet.edits.append(sheet.text)
            sheet.text = text
        self.under_way.clear()
