"""Live: who looks at which conversation right now, and how far growing answers are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

GROWING_AT_ONCE = 1_000
"""Previews kept in memory; the oldest of them is one whose run died elsewhere."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Growing:
    """The latest preview of a message."""

    message_id: int
    conversation: str
    html: str
    version: int


class Viewer:
    """One open stream of events."""

    def __init__(self, conversation: str, token_hash: str, after: int) -> None:
        self.conversation = conversation
        self.token_hash = token_hash
        self.after = after
        """The change that it has seen."""
        self.over = False
        self._beat = False
        self._wake = asyncio.Event()

    async def wait(self) -> None:
        """Return when there may be something to send."""
        await self._wake.wait()
        self._wake.clear()

    def wake(self) -> None:
        self._wake.set()

    def beat(self) -> None:
        """Let it send a sign of life."""
        self._beat = True
        self.wake()

    def take_beat(self) -> bool:
        """Say, once, whether a sign of life is due."""
        due, self._beat = self._beat, False
        return due

    def end(self) -> None:
        self.over = True
        self.wake()


class Live:
    """All viewers and previews of this process."""

    def __init__(self) -> None:
        self._viewers: set[Viewer] = set()
        self._growing: dict[int, Growing] = {}
        self._version = 0
        self._closed = False

    @contextmanager
    def view(self, conversation: str, token_hash: str, after: int) -> Iterator[Viewer]:
        """Look at a conversation for as long as the block lasts."""
        viewer = Viewer(conversation, token_hash, after)
        self._viewers.add(viewer)
        if self._closed:
            viewer.end()
        try:
            yield viewer
        finally:
            self._viewers.discard(viewer)

    def watched(self) -> tuple[str, ...]:
        """Return the conversations that somebody looks at."""
        return tuple(sorted({viewer.conversation for viewer in self._viewers}))

    def changed(self, conversation: str, change: int | None = None) -> None:
        """Wake who looks at a conversation; with a number, only who has not seen it."""
        for viewer in self._viewers:
            if viewer.conversation == conversation and (change is None or viewer.after < change):
                viewer.wake()

    def grow(self, conversation: str, message_id: int, html: str) -> None:
        """Show how far an answer is; nothing of it is stored."""
        self._version += 1
        self._growing.pop(message_id, None)
        self._growing[message_id] = Growing(
            message_id=message_id, conversation=conversation, html=html, version=self._version
        )
        if len(self._growing) > GROWING_AT_ONCE:
            del self._growing[next(iter(self._growing))]
        self.changed(conversation)

    def settle(self, message_id: int) -> None:
        """Forget the preview of a message that is about to be final."""
        self._growing.pop(message_id, None)

    def growing(self, conversation: str, after: int = 0) -> tuple[Growing, ...]:
        """Return the previews of a conversation that are newer than a version, oldest first."""
        return tuple(one for one in self._growing.values() if one.conversation == conversation and one.version > after)

    def beat(self) -> None:
        """Make every viewer send a sign of life."""
        for viewer in self._viewers:
            viewer.beat()

    def end(self, token_hash: str) -> None:
        """End the streams of a browser that signed out."""
        for viewer in self._viewers:
            if viewer.token_hash == token_hash:
                viewer.end()

    def close(self) -> None:
        """End every stream, and those that are still to come."""
        self._closed = True
        for viewer in self._viewers:
            viewer.end()
