"""Watch: what the path tells whoever counts."""

from __future__ import annotations

from typing import Protocol


class Watch(Protocol):
    """Counts; every call is cheap."""

    def received(self, platform: str, fate: str) -> None: ...

    def ran(self, seconds: float) -> None: ...

    def delivered(self, platform: str, seconds: float) -> None:
        """`seconds` from the row's commit to its standing in the room."""
        ...

    def failed(self, platform: str, kind: str) -> None: ...
