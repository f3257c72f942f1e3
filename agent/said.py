"""Said: a model's answer on its way through the hooks. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent.items import storable
from agent.model import Answer, Call


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What the model answered, as it stands after the hooks so far."""

    text: str
    calls: tuple[Call, ...] = ()
    finish: str = ""
    """The provider's own word; an open set."""
    stop_reason: str = ""
    """Which guard ended it (appendix 2 of the seats)."""
    error_fallback: bool = False
    """The words are ours, about a failure."""

    @classmethod
    def of(cls, answer: Answer) -> Said:
        return cls(text=storable(answer.text), calls=tuple(map(_storable, answer.calls)), finish=answer.finish)

    @property
    def blank(self) -> bool:
        """Nothing can be seen of it."""
        return not self.text.strip()

    def without_calls(self, *, notice: str, stop_reason: str) -> Said:
        """Return it without its calls, with a sentence about that, and with the first guard's reason kept."""
        text = f"{self.text.rstrip()}\n\n{notice}" if not self.blank else notice
        return replace(self, text=text, calls=(), stop_reason=self.stop_reason or stop_reason)


def with_own_ids(said: Said, taken: set[str]) -> Said:
    """Return it with call ids that are not empty and, within the conversation, nobody else's."""
    calls = []
    used = set(taken)
    for call in said.calls:
        call_id = call.id if call.id.strip() and call.id not in used else _fresh(used)
        used.add(call_id)
        calls.append(replace(call, id=call_id))
    return replace(said, calls=tuple(calls))


def _storable(call: Call) -> Call:
    return Call(id=storable(call.id), name=storable(call.name), arguments=storable(call.arguments))


def _fresh(used: set[str]) -> str:
    number = len(used) + 1
    while f"call_{number}" in used:
        number += 1
    return f"call_{number}"
