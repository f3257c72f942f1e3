"""Server-sent events: bytes as they come, to the data of each line. Pure.

Every provider puts one JSON text on one line, so a `data:` line is an event of its own; comments and names are skipped.
https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

from agent.model import ProviderError

LONGEST_LINE = 32_000_000


class Lines:
    """Cuts a stream into the data of its lines, wherever its chunks are cut."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the data that this chunk completes."""
        if b"\n" not in chunk:
            self._hold(chunk)
            return []
        *lines, rest = b"".join((*self._parts, chunk)).split(b"\n")
        self._parts = []
        self._size = 0
        self._hold(rest)
        return [data for line in lines if (data := _data(line))]

    def end(self) -> list[bytes]:
        """Return the data of a last line that nothing ended."""
        data = _data(b"".join(self._parts))
        self._parts = []
        return [data] if data else []

    def _hold(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > LONGEST_LINE:
            raise ProviderError("a line of the answer is longer than 32 MB", kind="stream")
        self._parts.append(part)


def _data(line: bytes) -> bytes:
    if line.startswith(b"data:"):
        return line[5:].strip()
    # Some servers put a failure into the stream as bare JSON, without the field's name.
    return line.strip() if line.startswith(b"{") else b""
