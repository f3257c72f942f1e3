"""A message goes all the way: intake, lanes, delivery, on both databases."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot import texts
from bot.command import Lane
from bot.errors import DeliveryError, Gone, RateLimited, Refused, Unknown, Unreachable
from bot.events import Event, Kind, Quoted
from bot.people import Standing
from bot.work import Accept, Amend, Answer, Move, Verdict
from tests.engine.conftest import Opener
from tests.support.paper import PLACEHOLDER, Desk
from tests.support.until import until
from tests.support.world import World, an_event, open_gates, room

HERE = room().key


async def test_a_message_is_answered_once(world: World) -> None:
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to hello"]


async def test_the_placeholder_stands_before_any_text(world: World) -> None:
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert world.desk.room(HERE)[0].edits[0] == PLACEHOLDER


async def test_a_redelivery_is_silent(world: World) -> None:
    for _ in range(10):
        await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to hello"]
    assert world.watch.counts["received.seen_before"] == 9


async def test_the_same_message_ten_times_at_once_is_one(world: World) -> None:
    await asyncio.gather(*(world.say(an_event("hello", id="1")) for _ in range(10)))
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to hello"]


async def test_busy_never_means_lost(world: World) -> None:
    """20 messages while a run goes on are merged into the next run, in order."""
    world.runner.gate = asyncio.Event()
    world.runner.asked = []
    await world.say(an_event("first", id="0"))
    for number in range(20):
        await world.say(an_event(f"q{number}", id=f"q{number}"))
    world.runner.gate.set()
    await world.quiet()
    assert world.runner.asked == ["first", *(f"q{number}" for number in range(20))]
    assert world.desk.texts(HERE)[0] == "answer to first"
    assert "".join(world.desk.texts(HERE)[1:]) == "answer to " + " + ".join(f"q{number}" for number in range(20))


async def test_nobodys_words_run_with_somebody_elses_rights(world: World) -> None:
    world.runner.gate = asyncio.Event()
    await world.say(an_event("first", id="0"))
    await world.say(an_event("a1", id="1"), an_event("b1", id="2", author="bob"), an_event("a2", id="3"))
    world.runner.gate.set()
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to first", "answer to a1", "answer to b1", "answer to a2"]


async def test_rooms_do_not_wait_for_each_other(world: World) -> None:
    world.runner.gate = asyncio.Event()
    await world.say(an_event("slow", id="1"))
    world.runner.held = "slow"
    await world.say(an_event("quick", id="2", chat="c2"))
    await until(lambda: world.desk.texts(room("c2").key) == ["answer to quick"])
    assert world.desk.texts(HERE) != ["answer to slow"]
    world.runner.gate.set()
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to slow"]


async def test_a_control_word_answers_while_a_run_is_busy(world: World) -> None:
    world.runner.gate = asyncio.Event()
    await world.say(an_event("slow", id="1"), an_event("/status", id="2"))
    await until(lambda: "did status" in world.desk.texts(HERE))
    world.runner.gate.set()
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to slow", "did status"]


async def test_stop_ends_the_run_that_goes_on(world: World) -> None:
    world.runner.gate = asyncio.Event()
    await world.say(an_event("slow", id="1"))
    await world.say(an_event("/stop", id="2"))
    await world.quiet()
    assert world.desk.texts(HERE) == ["stopped: slow", "did stop"]


async def test_k18_a_run_that_was_stopped_before_it_began_is_never_worked_on(world: World) -> None:
    world.runner.gate = asyncio.Event()
    world.runner.asked = []
    held = an_event("waits", id="2", author="bob")
    await world.say(an_event("slow", id="1"), held)
    await world.say(an_event("/stop", id="3"))
    await until(lambda: "stopped: slow" in world.desk.texts(HERE))
    await world.say(an_event("/stop", id="4"))
    await world.quiet()
    assert "answer to waits" not in world.desk.texts(HERE)


async def test_new_moves_what_waits_behind_it(world: World) -> None:
    world.runner.gate = asyncio.Event()
    await world.say(an_event("before", id="1"), an_event("/new", id="2"), an_event("behind", id="3"))
    world.runner.gate.set()
    await world.quiet(lambda: len(world.desk.texts(HERE)) == 3)
    assert world.desk.texts(HERE) == ["answer to before", "did new", "answer to behind"]


async def test_retry_answers_again(world: World) -> None:
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    await world.say(an_event("/retry", id="2"))
    await world.quiet()
    assert len(world.desk.texts(HERE)) == 2


async def test_retry_of_nothing_says_so(world: World) -> None:
    await world.say(an_event("/retry", id="2"))
    await world.quiet()
    assert world.desk.texts(HERE) == [texts.NOTHING_TO_RETRY]


async def test_an_edit_before_the_run_changes_what_is_asked(world: World) -> None:
    world.runner.gate = asyncio.Event()
    await world.say(an_event("slow", id="1"), an_event("worng", id="2", author="bob"))
    world.judge = lambda event, standing: Amend(text=event.text)
    await world.say(an_event("wrong", id="9", kind=Kind.EDIT, message_id="m2"))
    world.judge = open_gates
    world.runner.gate.set()
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to slow", "answer to wrong"]


async def test_b59_an_edit_of_an_answered_message_is_no_new_run(world: World) -> None:
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    world.judge = lambda event, standing: Amend(text=event.text)
    await world.say(an_event("hallo", id="9", kind=Kind.EDIT, message_id="m1"))
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to hello"]


async def test_a_gate_that_answers_does_so_once(world: World) -> None:
    world.judge = lambda event, standing: Answer(parts=world.adapter.render_text("who are you?"), because="unknown")
    for _ in range(3):
        await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert world.desk.texts(HERE) == ["who are you?"]


async def test_b60_an_album_is_one_turn_and_the_text_behind_it_another(world: World) -> None:
    """Three pictures 0.3 s apart, two with captions, and a text right behind."""

    def gates(event: Event, standing: Standing) -> Verdict:
        if event.group:
            return Accept(not_before=datetime.now(UTC) + timedelta(seconds=0.2))
        return Accept()

    world.judge = gates
    album = [an_event(text, id=f"p{n}", group="77") for n, text in enumerate(["before", "", "after"])]
    for picture in album:
        await world.say(picture)
    await world.say(an_event("what is this?", id="t"))
    await world.quiet(lambda: len(world.desk.texts(HERE)) == 2)
    assert world.desk.texts(HERE) == ["answer to before +  + after", "answer to what is this?"]


async def test_a_reply_to_our_message_finds_its_room(world: World) -> None:
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    seen: list[Standing] = []

    def gates(event: Event, standing: Standing) -> Verdict:
        seen.append(standing)
        return Accept()

    world.judge = gates
    await world.say(an_event("and?", id="2", room=room(topic="elsewhere"), quoted=Quoted(message_id="1")))
    await world.quiet()
    assert seen[0].quotes_us and seen[0].joined
    assert world.desk.texts(HERE) == ["answer to hello", "answer to and?"]


async def test_a_room_that_moves_keeps_its_conversation(world: World) -> None:
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    there = room("c9")
    world.judge = lambda event, standing: Move(to=there)
    await world.say(an_event("", id="2", kind=Kind.MOVED))
    seen: list[Standing] = []

    def gates(event: Event, standing: Standing) -> Verdict:
        seen.append(standing)
        return Accept()

    world.judge = gates
    await world.say(an_event("again", id="3", chat="c9"))
    await world.quiet()
    assert seen[0].joined
    assert world.desk.texts(there.key) == ["answer to again"]


async def test_what_was_on_its_way_when_a_room_moved_is_answered_in_the_new_one(world: World) -> None:
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    there = room("c9")
    world.judge = lambda event, standing: Move(to=there)
    await world.say(an_event("", id="2", kind=Kind.MOVED))
    world.judge = open_gates
    await world.say(an_event("late", id="3"))
    await world.quiet()
    assert world.desk.texts(there.key) == ["answer to late"]


async def test_a_long_answer_arrives_in_parts_in_order(world: World) -> None:
    await world.say(an_event("x" * 900, id="1"))
    await world.quiet()
    assert "".join(world.desk.texts(HERE)) == "answer to " + "x" * 900


class Faults:
    """Fail the nth calls of a kind, then heal."""

    def __init__(self, call: str, *errors: DeliveryError) -> None:
        self._call = call
        self._errors = list(errors)

    def __call__(self, call: str, text: str) -> DeliveryError | None:
        if call == self._call and self._errors and text != PLACEHOLDER[:0]:
            return self._errors.pop(0)
        return None


@pytest.mark.parametrize(
    "error",
    [
        RateLimited("paper", retry_after=0.05),
        Unreachable("paper", "is away"),
        Unknown("paper", "did not say"),
        Refused("paper", "does not like the form"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_a_fill_that_fails_once_arrives_all_the_same(world: World, error: DeliveryError) -> None:
    world.adapter.previews = False
    world.desk.fault = Faults("fill", error)
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to hello"]


async def test_b12_after_a_429_the_room_is_left_alone_and_the_tail_arrives(opener: Opener, desk: Desk) -> None:
    world = World(opener(), desk)
    await world.start()
    world.runner.steps = 3
    calls: list[tuple[float, str, str]] = []
    faults = Faults("fill", RateLimited("paper", retry_after=0.5))
    clock = world.clock

    def fault(call: str, text: str) -> DeliveryError | None:
        calls.append((clock.monotonic(), call, text))
        return faults(call, text)

    desk.fault = fault
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    limited = next(index for index, call in enumerate(calls) if call[1] == "fill")
    assert calls[limited + 1][0] - calls[limited][0] >= 0.5
    assert desk.texts(HERE) == ["answer to hello"]
    await world.stop()


async def test_what_is_refused_in_every_form_is_said_so(world: World) -> None:
    world.adapter.previews = False
    world.desk.fault = lambda call, text: Refused("paper", "hates it") if call == "fill" and "hello" in text else None
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert texts.not_shown("paper hates it") in world.desk.texts(HERE)


async def test_a_closed_room_ends_its_rows_and_nothing_else(world: World) -> None:
    world.desk.fault = lambda call, text: Gone("paper", "threw us out") if call in ("post", "fill") else None
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    world.desk.fault = lambda call, text: None
    await world.say(an_event("hello", id="2", chat="c2"))
    await world.quiet()
    assert world.desk.texts(room("c2").key) == ["answer to hello"]


async def test_a_message_that_somebody_deleted_is_posted_anew(world: World) -> None:
    world.adapter.previews = False
    world.runner.gate = asyncio.Event()
    await world.say(an_event("hello", id="1"))
    await until(lambda: bool(world.desk.sheets))
    world.desk.sheets.clear()
    world.runner.gate.set()
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to hello"]


async def test_without_reserving_an_unknown_end_is_looked_up(opener: Opener, desk: Desk) -> None:
    """The post stands, its answer was lost: it must not stand twice."""
    world = World(opener(), desk, reserves=False)
    await world.start()
    lost = [True]

    def fault(call: str, text: str) -> DeliveryError | None:
        if call == "answered" and lost:
            lost.clear()
            return Unknown("paper", "did not say")
        return None

    desk.fault = fault
    await world.say(an_event("hello", id="1"))
    await world.quiet()
    assert desk.texts(HERE) == ["answer to hello"]
    await world.stop()


async def test_the_thread_lane_of_a_command_keeps_its_place(world: World) -> None:
    def gates(event: Event, standing: Standing) -> Verdict:
        if event.text.startswith("/model"):
            return Accept(lane=Lane.THREAD, command="model")
        return Accept()

    world.judge = gates
    world.runner.gate = asyncio.Event()
    await world.say(an_event("one", id="1"), an_event("/model x", id="2"), an_event("two", id="3"))
    world.runner.gate.set()
    await world.quiet()
    assert world.desk.texts(HERE) == ["answer to one", "did model x", "answer to two"]


async def test_a_drained_worker_gives_its_runs_back(opener: Opener, desk: Desk) -> None:
    first = World(opener(), desk)
    await first.start()
    first.runner.gate = asyncio.Event()
    await first.say(an_event("slow", id="1"))
    await first.lanes.drain(0.05)
    await first.stop()
    second = World(opener(), desk)
    await second.start()
    await second.quiet(lambda: "answer to slow" in desk.texts(HERE))
    assert desk.texts(HERE).count("answer to slow") == 1
    await second.stop()


async def test_an_event_that_breaks_us_is_kept_and_told(world: World) -> None:
    """A fault of ours in the gates costs one message its answer, not its place, and nobody else anything."""

    def broken(event: Event, standing: Standing) -> Verdict:
        if event.text == "poison":
            raise ValueError("a fault of ours")
        return Accept()

    world.judge = broken
    await world.say(an_event("poison", id="1"), an_event("hello", id="2", chat="c2"))
    await world.quiet()
    assert world.desk.texts(HERE) == [texts.APOLOGY]
    assert world.desk.texts(room("c2").key) == ["answer to hello"]
