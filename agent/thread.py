"""Thread: a conversation as one run sees it: what stood there, what the run added, and what of that is stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from agent.items import AssistantItem, Item, ToolItem, load
from agent.model import Call
from bot.work import Claim, Usage


@dataclass(kw_only=True, slots=True)
class Thread:
    """Written by the run, stored by its recorder."""

    claim: Claim
    earlier: tuple[Item, ...]
    """What stood there before the run."""
    own: list[Item]
    """What the run added, by this try or an earlier one."""
    stored: int
    """How many of `own` are committed."""
    commits: int = 0
    usage: list[Usage] = field(default_factory=list)
    """Of model calls that are not committed yet."""

    @classmethod
    def of(cls, claim: Claim) -> Thread:
        """Return the thread as the claim has it, with what earlier tries of the run left there."""
        own = list(load(one for one in claim.history if one.run_id == claim.run_id))
        earlier = load(one for one in claim.history if one.run_id != claim.run_id)
        return cls(claim=claim, earlier=earlier, own=own, stored=len(own))

    @property
    def items(self) -> tuple[Item, ...]:
        """The whole conversation."""
        return (*self.earlier, *self.own)

    @property
    def unstored(self) -> tuple[Item, ...]:
        return tuple(self.own[self.stored :])

    @property
    def used_tools(self) -> bool:
        """A tool was used since the person spoke."""
        return any(isinstance(item, ToolItem) for item in self.own)

    @property
    def asked(self) -> int:
        """How many times the model was asked in this run."""
        return sum(isinstance(item, AssistantItem) for item in self.own)

    @property
    def unanswered(self) -> tuple[Call, ...]:
        """The calls of this run that have no result, in order."""
        answered = {item.call_id for item in self.own if isinstance(item, ToolItem)}
        calls = (call for item in self.own if isinstance(item, AssistantItem) for call in item.calls)
        return tuple(call for call in calls if call.id not in answered)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that go out with the answer, each once."""
        paths = (path for item in self.own if isinstance(item, ToolItem) for path in item.files)
        return tuple(dict.fromkeys(paths))

    def add(self, *items: Item) -> None:
        self.own.extend(items)


def call_ids(items: Iterable[Item]) -> set[str]:
    """Return the ids of all calls in a conversation."""
    return {call.id for item in items if isinstance(item, AssistantItem) for call in item.calls}
