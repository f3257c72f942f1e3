"""The suite on trial: each contract must fail on a platform that breaks it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.adapter import Capabilities, Check, Deliver, Toolkit
from bot.errors import Gone, RateLimited, Refused, Unknown, Unreachable, Vanished
from bot.events import Attachment, Event, Kind, Room
from bot.replies import Part, PartKind, Reply
from tests.contracts import test_adapter as suite
from tests.contracts.rigs._trial import FILL, POST, Trial, Trouble
from tests.contracts.rigs.paper import Letter, Office, WholeAdapter, WholeConnection, paper_trial

# --- broken on the way out -------------------------------------------------------------------------------


class Amnesiac(WholeConnection):
    """Posts again whatever it posted."""

    async def find(self, room: Room, *, key: str) -> str | None:
        return None


class Confident(WholeConnection):
    """Finds what was never posted."""

    async def find(self, room: Room, *, key: str) -> str | None:
        return await super().find(room, key=key) or "1"


class Touchy(WholeConnection):
    """Takes no content twice."""

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        if self._desk.sheets[message_id].text == part.body["text"]:
            raise Refused("paper", "shows that already")
        await super().fill(room, message_id, part)


class Stacking(WholeConnection):
    """Fills by posting anew."""

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        await self.post(room, part, key=f"{message_id}+", anchor="")


class Keeping(WholeConnection):
    """Removes nothing."""

    async def remove(self, room: Room, message_id: str) -> None:
        return None


class Aloof(WholeConnection):
    """Replies to nobody."""

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        return await super().post(room, part, key=key, anchor="")


class Pedantic(WholeConnection):
    """Refuses to answer what it does not know."""

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        if anchor and anchor not in self._desk.sheets:
            raise Refused("paper", "knows no such message")
        return await super().post(room, part, key=key, anchor=anchor)


class OneRoom(WholeConnection):
    """Posts every topic into the general one."""

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        return await super().post(replace(room, topic=""), part, key=key, anchor=anchor)


class Reversed(Office):
    """Shows the newest message first."""

    def new_id(self) -> str:
        self.sheets = dict(reversed(self.sheets.items()))
        return super().new_id()


class Buttonless(WholeConnection):
    """Forgets the buttons."""

    def put_beside(self, message_id: str, part: Part | None) -> None:
        super().put_beside(message_id, part if part is not None and part.kind is PartKind.FILE else None)


class Unnamed(WholeConnection):
    """Hands files over as text."""

    def put_beside(self, message_id: str, part: Part | None) -> None:
        super().put_beside(message_id, None)


# --- errors that instruct wrongly ------------------------------------------------------------------------


class Wrong(WholeConnection):
    """Says something else than what happened."""

    says: type[Exception] = Unknown

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        try:
            return await super().post(room, part, key=key, anchor=anchor)
        except (RateLimited, Refused, Unreachable, Unknown) as error:
            raise self.says("paper", "failed") from error

    async def fill(self, room: Room, message_id: str, part: Part) -> None:
        try:
            await super().fill(room, message_id, part)
        except (RateLimited, Refused, Unreachable, Unknown) as error:
            raise self.says("paper", "failed") from error


class AlwaysGone(Wrong):
    says = Gone


class AlwaysUnknown(Wrong):
    says = Unknown


class AlwaysVanished(Wrong):
    says = Vanished


class AlwaysRefused(Wrong):
    says = Refused


class Blabbing(WholeConnection):
    """Tells its token to whoever reads the log."""

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        try:
            return await super().post(room, part, key=key, anchor=anchor)
        except Gone as error:
            raise Gone("paper", "is closed to a-token-of-paper") from error


# --- broken on the way in --------------------------------------------------------------------------------


class Hasty(WholeConnection):
    """Confirms before anything is committed."""

    async def hand_over(self, deliver: Deliver, events: Sequence[Event], number: int) -> None:
        await self._office.confirmed(number)
        await deliver(events)


class Hoarding(Office):
    """Delivers what was confirmed again beside what is new."""

    def __init__(self) -> None:
        super().__init__()
        self.old: list[Letter] = []

    async def confirmed(self, number: int) -> None:
        self.old = [letter for letter in self.letters if letter.number <= number]
        await super().confirmed(number)

    async def arrives(self, kind: str, room: Room, **fields: Any) -> str:
        self.letters += self.old
        return await super().arrives(kind, room, **fields)


class Cut(WholeConnection):
    """Throws away what stands around nonsense."""

    async def hand_over(self, deliver: Deliver, events: Sequence[Event], number: int) -> None:
        nonsense = any(letter.kind == "nonsense" for letter in self._office.letters)
        await super().hand_over(deliver, () if nonsense else events, number)


class Jumbling(WholeConnection):
    """Hands over the newest first."""

    async def hand_over(self, deliver: Deliver, events: Sequence[Event], number: int) -> None:
        await super().hand_over(deliver, tuple(reversed(events)), number)


class Renaming(WholeConnection):
    """Gives an event another id each time."""

    def read(self, letter: Letter) -> Event | None:
        event = super().read(letter)
        return event and replace(event, id=f"paper:{self._office.new_id()}")


class Twin(WholeConnection):
    """Gives all events one id."""

    def read(self, letter: Letter) -> Event | None:
        event = super().read(letter)
        return event and replace(event, id="paper:1")


class Ending(WholeConnection):
    """Gives up at the first word that it does not understand."""

    def read(self, letter: Letter) -> Event | None:
        if letter.kind == "nonsense":
            raise ValueError("what?")
        return super().read(letter)


class Echoing(WholeConnection):
    """Hears its own words as another's."""

    async def post(self, room: Room, part: Part | None, *, key: str, anchor: str) -> str:
        await self._office.arrives("message", room, text="I said this")
        return await super().post(room, part, key=key, anchor=anchor)


class Topicless(WholeConnection):
    """Hears every topic as the general one."""

    def read(self, letter: Letter) -> Event | None:
        return super().read(replace(letter, room=replace(letter.room, topic="")))


class NewEdits(WholeConnection):
    """Takes an edit for something new."""

    def read(self, letter: Letter) -> Event | None:
        event = super().read(letter)
        return event and replace(event, message_id=f"e{letter.number}" if event.kind is Kind.EDIT else event.message_id)


class Groupless(WholeConnection):
    """Does not know what was sent as one."""

    def read(self, letter: Letter) -> Event | None:
        return super().read(replace(letter, group=""))


class Mumbling(WholeConnection):
    """Hears another word than the button's."""

    def read(self, letter: Letter) -> Event | None:
        return super().read(replace(letter, text="/other") if letter.kind == "click" else letter)


class Limitless(WholeConnection):
    """Fetches files of any size."""

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        await super().fetch(attachment, into, limit=limit + 1)


class Garbling(WholeConnection):
    """Fetches other bytes."""

    async def fetch(self, attachment: Attachment, into: Path, *, limit: int) -> None:
        await super().fetch(attachment, into, limit=limit)
        await asyncio.to_thread(into.write_bytes, b"other bytes")


# --- broken rendering ------------------------------------------------------------------------------------


class Losing(WholeAdapter):
    """Says only the beginning."""

    def render(self, reply: Reply) -> tuple[Part, ...]:
        return super().render(reply)[:3]


class Silent(WholeAdapter):
    """Renders nothing to nothing."""

    def render(self, reply: Reply) -> tuple[Part, ...]:
        return super().render(reply) if reply.text.strip() or reply.files or reply.card else ()


class Overflowing(WholeAdapter):
    """Knows no limit."""

    def render(self, reply: Reply) -> tuple[Part, ...]:
        return (Part(body={"text": reply.text.replace("\0", "").replace("\ud800", "") or "(nothing)"}),)

    def preview(self, text: str) -> Part:
        return Part(body={"text": text.replace("\0", "").replace("\ud800", "") or "(nothing)"})


class Moody(WholeAdapter):
    """Renders differently each time."""

    count = 0

    def render(self, reply: Reply) -> tuple[Part, ...]:
        self.count += 1
        return (*super().render(reply), Part(body={"text": f"take {self.count}"}))

    def preview(self, text: str) -> Part:
        self.count += 1
        return Part(body={"text": f"take {self.count}"})


class Unstorable(WholeAdapter):
    """Leaves in what no database takes."""

    def render(self, reply: Reply) -> tuple[Part, ...]:
        return (Part(body={"text": reply.text or "-"}),)


class Endless(WholeAdapter):
    """Is never plain enough."""

    def plainer(self, part: Part) -> Part | None:
        return Part(kind=part.kind, body={**part.body})


class Forgetful(WholeAdapter):
    """Says less when it says it plainer."""

    def plainer(self, part: Part) -> Part | None:
        return None if part.body.get("plain") else Part(kind=part.kind, body={**part.body, "plain": True, "text": "-"})


class Few(WholeAdapter):
    """Offers ten actions and drops the others."""

    def render(self, reply: Reply) -> tuple[Part, ...]:
        if reply.card is not None:
            reply = replace(reply, card=replace(reply.card, actions=reply.card.actions[:10]))
        return super().render(reply)


class Reckless(WholeAdapter):
    """Opens whatever it is handed, and finds nothing wrong with it."""

    async def open(self, toolkit: Toolkit) -> WholeConnection:
        assert isinstance(self.desk, Office)
        return WholeConnection(self.desk, toolkit.clock)

    async def doctor(self, toolkit: Toolkit) -> Sequence[Check]:
        return [Check(ok=True, title="never better")]


class Boasting(WholeAdapter):
    """Says that it cannot edit, and claims previews all the same."""

    capabilities = Capabilities(reserves=True, edits=False)

    def __init__(self, office: Office) -> None:
        super().__init__(office)
        self.capabilities = Capabilities(reserves=True, edits=False)


class Incomplete(WholeAdapter):
    """Opens an account of another shape."""

    async def open(self, toolkit: Toolkit) -> WholeConnection:
        class Other(WholeConnection):
            async def fetch(self, attachment: Attachment, into: Path, *, most: int) -> None:  # type: ignore[override]
                return None

        assert isinstance(self.desk, Office)
        return Other(self.desk, toolkit.clock)


# --- each contract, with what breaks it ------------------------------------------------------------------

Connector = type[WholeConnection]
Flaw = Connector | type[WholeAdapter] | type[Office]
Contract = Callable[[Trial], Awaitable[None]]


def flawed(flaw: Flaw) -> WholeAdapter:
    """Return paper with one flaw."""
    if issubclass(flaw, Office):
        return WholeAdapter(flaw())
    if issubclass(flaw, WholeAdapter):
        return flaw(Office())
    adapter = WholeAdapter(Office())

    async def open_flawed(toolkit: Toolkit) -> WholeConnection:
        assert isinstance(adapter.desk, Office)
        return flaw(adapter.desk, toolkit.clock)

    adapter.open = open_flawed  # type: ignore[method-assign]
    return adapter


def with_call(contract: Callable[[Trial, str], Awaitable[None]], call: str) -> Contract:
    return partial(_called, contract, call)


async def _called(contract: Callable[[Trial, str], Awaitable[None]], call: str, trial: Trial) -> None:
    await contract(trial, call)


_NOT_REPEATABLE = partial(suite.test_a_fill_without_an_answer_can_be_repeated, trouble=Trouble.BROKEN)

BREAKS: tuple[tuple[Contract, Flaw], ...] = (
    (suite.test_rendering_is_pure_and_never_empty, Silent),
    (suite.test_rendering_is_pure_and_never_empty, Moody),
    (suite.test_rendering_is_pure_and_never_empty, Unstorable),
    (suite.test_previewing_is_pure_at_every_prefix, Moody),
    (suite.test_every_sample_fits_and_says_its_words_in_order, Losing),
    (suite.test_every_sample_fits_and_says_its_words_in_order, Overflowing),
    (suite.test_a_preview_fits_in_one_message_at_every_length, Overflowing),
    (suite.test_a_preview_fits_in_one_message_at_every_length, Stacking),
    (suite.test_plainer_ends_soon_is_taken_and_says_the_same, Endless),
    (suite.test_plainer_ends_soon_is_taken_and_says_the_same, Forgetful),
    (suite.test_files_go_out_under_their_names, Unnamed),
    (suite.test_a_placeholder_is_filled_and_filling_again_changes_nothing, Touchy),
    (suite.test_a_placeholder_is_filled_and_filling_again_changes_nothing, Stacking),
    (suite.test_what_was_posted_shows_and_can_be_filled_with_the_same, Touchy),
    (suite.test_messages_stand_in_the_order_of_their_posts, Reversed),
    (suite.test_a_repeated_post_is_one_message_or_the_platform_reserves, Amnesiac),
    (suite.test_a_lost_post_is_found_by_its_key_or_never, Amnesiac),
    (suite.test_a_lost_post_is_found_by_its_key_or_never, Confident),
    (suite.test_what_was_removed_is_gone_and_may_be_removed_again, Keeping),
    (suite.test_an_answer_stands_as_a_reply_to_its_question, Aloof),
    (suite.test_an_anchor_that_nobody_knows_loses_no_message, Pedantic),
    (suite.test_each_topic_gets_its_own_and_nothing_else, OneRoom),
    (with_call(suite.test_a_request_to_wait_carries_its_seconds, POST), AlwaysUnknown),
    (with_call(suite.test_a_request_to_wait_carries_its_seconds, FILL), AlwaysUnknown),
    (with_call(suite.test_what_the_platform_will_never_take_is_refused, POST), AlwaysVanished),
    (with_call(suite.test_what_the_platform_will_never_take_is_refused, FILL), AlwaysVanished),
    (with_call(suite.test_without_a_connection_nothing_was_done, POST), AlwaysUnknown),
    (with_call(suite.test_without_a_connection_nothing_was_done, FILL), AlwaysUnknown),
    (suite.test_a_post_whose_answer_was_lost_is_unknown_or_cannot_stand_twice, AlwaysRefused),
    (suite.test_a_post_whose_answer_was_lost_is_unknown_or_cannot_stand_twice, Amnesiac),
    (suite.test_a_post_that_broke_the_platform_may_stand, AlwaysRefused),
    (_NOT_REPEATABLE, AlwaysRefused),
    (suite.test_a_closed_room_is_gone, AlwaysRefused),
    (suite.test_a_closed_room_is_gone, Blabbing),
    (suite.test_a_message_that_is_no_more_has_vanished, AlwaysRefused),
    (suite.test_a_file_that_is_gone_from_our_disk_is_refused, AlwaysGone),
    (suite.test_an_account_that_cannot_be_opened_says_the_cure, Reckless),
    (suite.test_the_doctor_finds_health_and_names_the_cure_for_illness, Reckless),
    (suite.test_what_is_said_arrives_in_order_with_ids_of_its_own, Twin),
    (suite.test_what_is_said_arrives_in_order_with_ids_of_its_own, Jumbling),
    (suite.test_each_topic_is_a_room, Topicless),
    (suite.test_what_was_confirmed_does_not_come_after_a_restart, Twin),
    (suite.test_what_was_confirmed_does_not_come_after_a_restart, Hoarding),
    (suite.test_nothing_is_confirmed_before_it_is_committed, Renaming),
    (suite.test_nothing_is_confirmed_before_it_is_committed, Hasty),
    (suite.test_what_could_not_be_stored_comes_again_until_it_is, Hasty),
    (suite.test_what_could_not_be_stored_comes_again_until_it_is, Renaming),
    (suite.test_nonsense_in_the_middle_stops_nothing_behind_it, Ending),
    (suite.test_nonsense_in_the_middle_stops_nothing_behind_it, Cut),
    (suite.test_nonsense_that_comes_first_stops_nothing_either, Ending),
    (suite.test_our_own_words_are_ours_or_never_come_back, Echoing),
    (suite.test_an_edit_names_the_message_that_it_changes, NewEdits),
    (suite.test_a_file_can_be_fetched_up_to_the_limit, Limitless),
    (suite.test_a_file_can_be_fetched_up_to_the_limit, Garbling),
    (suite.test_files_that_were_sent_as_one_can_be_known_as_one, Groupless),
    (suite.test_a_button_of_ours_says_its_word, Mumbling),
    (suite.test_a_button_of_ours_says_its_word, Buttonless),
    (suite.test_of_many_and_long_actions_each_stays_in_reach, Few),
    (suite.test_of_many_and_long_actions_each_stays_in_reach, Buttonless),
    (suite.test_a_card_on_a_placeholder_has_its_buttons, Buttonless),
    (suite.test_its_capabilities_tell_the_truth, Boasting),
    (suite.test_the_account_has_every_member_of_the_contract, Incomplete),
)


_FAILURES = (AssertionError, pytest.fail.Exception, Refused, TimeoutError, TypeError, ValueError)


def name_of(contract: object) -> str:
    """Return the name of the suite's test, whatever was bound to it."""
    while isinstance(contract, partial):
        contract = contract.args[0] if contract.args else contract.func
    return str(getattr(contract, "__name__", contract))


def test_every_contract_of_a_running_platform_is_broken_by_something() -> None:
    contracts = {
        name
        for name, test in vars(suite).items()
        if name.startswith("test_") and "trial" in inspect.signature(test).parameters
    }
    assert {name_of(contract) for contract, _ in BREAKS} == contracts


@pytest.mark.parametrize(("contract", "flaw"), BREAKS, ids=lambda value: getattr(value, "__name__", name_of(value)))
async def test_a_broken_platform_fails(contract: Contract, flaw: Flaw, tmp_path: Path) -> None:
    async with paper_trial(flawed(flaw), tmp_path, patience=0.3) as trial:
        with pytest.raises(_FAILURES):
            await contract(trial)
