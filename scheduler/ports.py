"""What the scheduler asks of the world."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Upkeep(Protocol):
    """The database, as far as it is kept in order."""

    async def prune(self, before: datetime) -> int:
        """Forget what ended before a time and nobody needs again; return how many rows went or were emptied."""
        ...
