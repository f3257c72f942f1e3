"""Markup: a text under construction, shared by the parsers of the parse modes."""

from __future__ import annotations

from dataclasses import dataclass

from adapters._shared.utf16 import units
from adapters.telegram.simulator.entities import Entity, Styled
from adapters.telegram.simulator.refusals import Refusal, unparsable


@dataclass(slots=True)
class Open:
    """An entity whose end is still to come."""

    kind: str
    source: int
    """Where it began in the source, as an index."""
    start: int
    """Where it began in the result, in UTF-16 code units."""
    argument: str = ""


class Builder:
    """Takes the source apart, from left to right."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0
        self.length = 0
        self.stack: list[Open] = []
        self._pieces: list[str] = []
        self._entities: list[Entity] = []

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self.length += units(text)

    @property
    def at_line_start(self) -> bool:
        """Whether nothing stands on the current line of the result yet."""
        for piece in reversed(self._pieces):
            if piece:
                return piece.endswith("\n")
        return True

    @property
    def inside(self) -> str:
        """The kind of the innermost open entity, empty outside of all."""
        return self.stack[-1].kind if self.stack else ""

    def push(self, kind: str, argument: str = "", *, width: int = 1) -> None:
        """Open an entity whose mark is so many characters wide."""
        self.stack.append(Open(kind=kind, source=self.place, start=self.length, argument=argument))
        self.place += width

    def keep(self, opened: Open, **extra: str) -> None:
        """Note an entity that ends here; empty ones vanish."""
        if self.length > opened.start:
            entity: Entity = {"type": opened.kind, "offset": opened.start, "length": self.length - opened.start}
            self._entities.append({**entity, **extra})

    def byte(self, place: int) -> int:
        return len(self.source[:place].encode("utf-8", "surrogatepass"))

    def error(self, sentence: str) -> Refusal:
        return unparsable(sentence)

    def result(self) -> Styled:
        entities = sorted(self._entities, key=lambda entity: (entity["offset"], -entity["length"]))
        return Styled(text="".join(self._pieces), entities=tuple(entities))
