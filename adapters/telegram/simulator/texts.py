"""What the simulator's page says to people."""

from __future__ import annotations

NO_SUCH_CHAT = "There is no such chat."
NO_SUCH_PERSON = "There is no such person."
NO_SUCH_MESSAGE = "There is no such message."
NO_SUCH_TOPIC = "There is no such topic."
NO_SUCH_VERB = "The simulator cannot do that."
NOT_FOUND = "There is nothing at this address."
FOREIGN = "Only pages of this simulator may drive it."
NOT_JSON = "The body must be a JSON object or a multipart form."
TOO_LARGE = "That is larger than the simulator takes."


def missing(name: str) -> str:
    return f"“{name}” is missing."


def joined(names: str) -> str:
    return f"{names} joined the group"


def topic_created(name: str) -> str:
    return f"The topic “{name}” was created"


MIGRATED = "This group became a supergroup. The conversation goes on there."
MIGRATED_FROM = "This supergroup was a group before"
