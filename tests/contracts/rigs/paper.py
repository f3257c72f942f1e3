"""Paper on trial: the platform in memory, made whole, so that the suite can be tried on what it must accept.

What the path's own tests need of paper is in `tests/support/paper.py`; here it also has people, buttons and limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters import _shared
from adapters._shared.characters import blank
from adapters._shared.simulator.shown import Shown
from bot.adapter import Capabilities, Check, Deliver, Toolkit
from bot.clock import Clock
from bot.errors import (
    DeliveryError,
    Gone,
    RateLimited,
    Refused,
    StartError,
    StorageBusy,
    Unknown,
    Unreachable,
)
from bot.events import Attachment, Author, Event, Kind, Room
from bot.replies import Part, PartKind, Reply
from bot.system_clock import SystemClock
from tests.contracts.rigs._trial import RETRY_AFTER, Answer, Rig, Trial, Trouble, checklist
from tests.support.paper import LIMIT, PLACEHOLDER, Desk, PaperAdapter, PaperConnection
from tests.support.web_page import COMMANDS

TOKEN = "a-token-of-paper"
BUTTONS = 10
LABEL = 20
ANSWERS: dict[str, Answer] = dict.fromkeys(checklist(Path(_shared.__path__[0])), "done")


@dataclass(frozen=True, kw_only=True, slots=True)
class Letter:
    """Something that happened, until the bot has confirmed it."""

    number: int
    kind: str
    room: Room
    message_id: str = ""
    text: str = ""
    files: tuple[tuple[str, int], ...] = ()
    group: str = ""


class Office(Desk):
    """The desk, with people who write letters."""

    def __init__(self) -> None:
        super().__init__()
        self.letters: list[Letter] = []
        self.files: dict[str, bytes] = {}
        self.buttons: dict[str, list[list[str]]] = {}
        self.handed: set[str] = set()
        """Sheets that carry a file."""
        self.closed: set[str] = set()
        self.changed = asyncio.Condition()
        self._numbers = 0

    async def arrives(self, kind: str, room: Room, **fields: Any) -> str:
        """Let something happen; return the message it happened to."""
        self._numbers += 1
        message_id = str(fields.pop("message_id", "") or self.new_id())
        async with self.changed:
            self.letters.append(Letter(number=self._numbers, kind=kind, room=room, message_id=message_id, **fields))
            self.changed.notify_all()
        return message_id

    async def confirmed(self, number: int) -> None:
        """Forget the letters up to a number."""
        async with self.changed:
            self.letters = [letter for letter in self.letters if letter.number > number]
            self.changed.notify_all()


class WholeConnection(PaperConnection):
    """The account, with everything that the contract asks for."""

    def __init__(self, office: Office, clock: Clock) -> None:
        super().__init__(office)
        self._office = office
        self._clock = clock

    # --- the way in -------------------------------------------------------------------------------------

    async def listen(self, deliver: Deliver) -> None:
        while True:
            async with self._office.changed:
                await self._office.changed.wait_for(lambda: bool(self._office.letters))
            letters = list(self._office.letters)
            events = [event for letter in letters if (event := self.read(letter)) is not None]
            try:
                await self.hand_over(deliver, events, letters[-1].number)
            except StorageBusy:
                await asyncio.sleep(0)

    async def hand_over(self, deliver: Deliver, events: Sequence[Event], number: int) -> None:
        if events:
            await deliver(events)
        await self._office.confirmed(number)

    def read(self, letter: Letter) -> Event | None:
        """Return what a letter says, None where nobody can tell."""
        if letter.kind not in (Kind.MESSAGE, Kind.EDIT, Kind.CLICK):
            return None
        return Event(
            id=f"paper:{letter.number}",
            kind=Kind(letter.kind),
            room=letter.room,
            author=Author(id="ann", name="Ann"),
            received_at=self._clock.now(),
            direct=True,
            message_id=letter.message_id,
            text=letter.text,
            files=tuple(Attachment(name=name, handle=name, size=size) for name, size in letter.files),
            group=letter.group,
        )

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        data = self._office.files.get(attachment.handle)
        if data is None or len(data) > limit:
            raise Refused("paper", f"does not hand over {attachment.name}")
        await asyncio.to_thread(into.write_bytes, data)

    # --- the way out ------------------------------------------------------------------------------------

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        self.check(room, part)
        known = await self.find(room, key=key)
        if known is not None:
            return known
        known_anchor = anchor if anchor.isdecimal() and int(anchor) < 1_000 else ""
        message_id = await super().post(room, part, key=key, anchor=known_anchor)
        self.put_beside(message_id, part)
        return message_id

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        self.check(room, part)
        await super().fill(room, message_id, part)
        self.put_beside(message_id, part)

    def put_beside(self, message_id: str, part: Part | None) -> None:
        """Put buttons and a file to the text of a sheet."""
        self._office.buttons[message_id] = part.body.get("buttons", []) if part is not None else []
        if part is not None and part.kind is PartKind.FILE:
            self._office.handed.add(message_id)

    def check(self, room: Room, part: Part | None) -> None:
        """Refuse what a sheet of paper cannot hold."""
        if room.key in self._office.closed:
            raise Gone("paper", "closed this room")
        if part is None:
            return
        if not 0 < len(part.body["text"]) <= LIMIT:
            raise Refused("paper", "is too small for that, or would stay empty")
        if part.kind is PartKind.FILE and not Path(part.body["path"]).exists():
            raise Refused("paper", "cannot find the file")


class WholeAdapter(PaperAdapter):
    """The platform, with cards."""

    capabilities: Capabilities

    def render(self, reply: Reply) -> tuple[Part, ...]:
        said, buttons = _with_card(reply)
        pieces = [piece for piece in _pieces(said) if not blank(piece)]
        if not pieces and not reply.files:
            pieces = ["(nothing)"]
        parts = [Part(body={"text": piece}) for piece in pieces]
        if buttons:
            parts[-1].body["buttons"] = buttons
        files = (
            Part(kind=PartKind.FILE, body={"text": _storable(file.name), "path": str(file.path)})
            for file in reply.files
        )
        return (*parts, *files)

    def preview(self, text: str) -> Part:
        text = _storable(text)[:LIMIT]
        return Part(body={"text": PLACEHOLDER if blank(text) else text})

    async def open(self, toolkit: Toolkit) -> WholeConnection:
        if not toolkit.environment.get("PAPER_TOKEN"):
            raise StartError("paper needs PAPER_TOKEN; set it")
        assert isinstance(self.desk, Office)
        return WholeConnection(self.desk, toolkit.clock)

    async def doctor(self, toolkit: Toolkit) -> Sequence[Check]:
        return [Check(ok=bool(toolkit.environment), title="paper has a token", fix="set PAPER_TOKEN")]


def _with_card(reply: Reply) -> tuple[str, list[list[str]]]:
    if reply.card is None:
        return _storable(reply.text), []
    actions = reply.card.actions
    typed = [f"{action.label}: type {action.value}" for action in actions[BUTTONS:]]
    buttons = [[_short(_storable(action.label)), _storable(action.value)] for action in actions[:BUTTONS]]
    return "\n".join(_storable(text) for text in (reply.text or "?", reply.card.text, *typed)), buttons


def _short(label: str) -> str:
    return label if len(label) <= LABEL else label[: LABEL - 1] + "…"


def _pieces(text: str) -> list[str]:
    return [text[start : start + LIMIT] for start in range(0, len(text), LIMIT)]


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\0", "")


class PaperTrial(Trial):
    """Ann and the bot, on paper."""

    answers = ANSWERS
    secrets = (TOKEN,)

    def __init__(self, adapter: WholeAdapter, home: Path, patience: float) -> None:
        assert isinstance(adapter.desk, Office)
        self.adapter = adapter
        self._office = adapter.desk
        self._home = home
        self._patience = patience
        self.topics = (_room("c1"), _room("c1", "plans"))
        self.room = _room("c2")

    async def say(self, text: str, room: Room | None = None) -> str:
        return await self._office.arrives("message", room or self.room, text=text)

    async def send(self, *files: tuple[str, bytes]) -> None:
        group = self._office.new_id() if len(files) > 1 else ""
        self._office.files |= dict(files)
        for name, data in files:
            await self._office.arrives("message", self.room, files=((name, len(data)),), group=group)

    async def press(self, message_id: str, place: int) -> None:
        word = self._office.buttons[message_id][place][1]
        await self._office.arrives("click", self.room, message_id=message_id, text=word)

    async def edit(self, message_id: str, text: str) -> None:
        await self._office.arrives("edit", self.room, message_id=message_id, text=text)

    async def shown(self, room: Room | None = None) -> Sequence[Shown]:
        return [
            Shown(
                id=sheet.id,
                text=sheet.text,
                buttons=tuple(label for label, _ in self._office.buttons.get(sheet.id, [])),
                reply_to=sheet.anchor,
                files=(sheet.text,) if sheet.id in self._office.handed else (),
            )
            for sheet in self._office.room((room or self.room).key)
        ]

    async def garble(self) -> None:
        await self._office.arrives("nonsense", self.room)

    async def take_away(self, message_id: str) -> None:
        del self._office.sheets[message_id]

    async def closed(self) -> Room:
        room = _room("c9")
        self._office.closed.add(room.key)
        return room

    async def strike(self, trouble: Trouble, call: str) -> None:
        # What is posted counts as told only when its answer came.
        wanted = "answered" if (trouble, call) == (Trouble.LOST_ANSWER, "post") else call

        def fault(name: str, text: str) -> DeliveryError | None:
            return self.error(trouble, call) if name == wanted else None

        self._office.fault = fault

    def error(self, trouble: Trouble, call: str) -> DeliveryError:
        match trouble:
            case Trouble.RATE_LIMITED:
                return RateLimited("paper", retry_after=RETRY_AFTER)
            case Trouble.REFUSED:
                return Refused("paper", "does not like it")
            case Trouble.UNREACHABLE:
                return Unreachable("paper", "is out")
            case _:
                return Unknown("paper", "may have got it") if call == "post" else Unreachable("paper", "is out")

    async def heal(self) -> None:
        self._office.fault = lambda call, text: None

    async def settled(self) -> None:
        async with asyncio.timeout(self._patience), self._office.changed:
            await self._office.changed.wait_for(lambda: not self._office.letters)

    def toolkit(self) -> Toolkit:
        return self._toolkit({"PAPER_TOKEN": TOKEN})

    def bad_toolkit(self) -> Toolkit:
        return self._toolkit({})

    def _toolkit(self, environment: dict[str, str]) -> Toolkit:
        return Toolkit(
            environment=environment,
            options={},
            home=self._home,
            clock=SystemClock(),
            commands=COMMANDS,
            ports={},
        )


def _room(chat: str, topic: str = "") -> Room:
    return Room(platform="paper", workspace="paperbot", chat=chat, topic=topic)


@asynccontextmanager
async def paper_trial(adapter: WholeAdapter, home: Path, *, patience: float = 10.0) -> AsyncIterator[PaperTrial]:
    """Put a paper platform on trial, a whole or a broken one; for that, nobody waits long."""
    trial = PaperTrial(adapter, home, patience)
    trial.connection = await adapter.open(trial.toolkit())
    yield trial


@asynccontextmanager
async def _start(home: Path) -> AsyncIterator[Trial]:
    async with paper_trial(WholeAdapter(Office()), home) as trial:
        yield trial


RIG = Rig(name="paper", adapter=WholeAdapter(Office()), answers=ANSWERS, start=_start)
