"""A terminal with somebody who answers what they were told to."""

from __future__ import annotations

from collections.abc import Iterable


class PaperTerminal:
    """Keeps what was said; every question takes the next answer, and none when there are no more."""

    def __init__(self, answers: Iterable[str] = ()) -> None:
        self._answers = list(answers)
        self.said: list[str] = []
        self.told: list[str] = []
        self.asked: list[str] = []
        self.secretly: list[str] = []
        """Questions whose answers were not shown."""

    def say(self, text: str) -> None:
        self.said.append(text)

    def tell(self, text: str) -> None:
        self.told.append(text)

    def ask(self, question: str, *, secret: bool = False) -> str:
        self.asked.append(question)
        if secret:
            self.secretly.append(question)
        return self._answers.pop(0) if self._answers else ""

    @property
    def output(self) -> str:
        return "\n".join(self.said)
