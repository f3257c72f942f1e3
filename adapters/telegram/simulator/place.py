"""Place: where in a chat a message stands: its topic, its thread, what it replies to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.telegram.simulator.message import Message

GENERAL = 1
"""The thread id of a forum's General topic, which some updates carry and no call may: `message thread not found`."""


@dataclass(slots=True)
class Topic:
    """One topic of a forum."""

    id: int
    name: str
    root: Message
    """The note of its creation, which its messages reply to unless they reply to another."""
    closed: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a message stands."""

    thread_id: int | None = None
    is_topic: bool = False
    reply_to: Message | None = None


def place_of(
    thread: int | None, reply: Message | None, *, topics: Mapping[int, Topic], is_forum: bool, kind: str
) -> Place:
    """Return where a message with this thread id and reply stands, as the server puts it."""
    if is_forum:
        if thread is None and reply is not None and reply.is_topic:
            thread = reply.thread_id
        topic = topics.get(thread or 0)
        if topic is not None:
            return Place(thread_id=topic.id, is_topic=True, reply_to=reply or topic.root)
        return Place(thread_id=thread, reply_to=reply)
    if kind == "supergroup" and reply is not None:
        # A reply in a supergroup belongs to the thread of the first message of the chain.
        return Place(thread_id=reply.thread_id or reply.id, reply_to=reply)
    return Place(reply_to=reply)
