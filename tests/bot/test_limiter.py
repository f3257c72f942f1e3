"""How fast persons, rooms and bots may speak."""

from __future__ import annotations

import pytest

from bot.events import Author, Event, Kind, Room
from bot.gatekeeper import Gatekeeper
from bot.limiter import Limiter
from bot.people import Standing
from bot.rules import REFUSED, UNHURRIED
from bot.settings import Access, Limits
from bot.work import Accept, Answer, Fate, Ingested
from tests.support.gates import STRANGER, StoppedClock, a_message, known, some_rules, spoken

THREE = Limits(messages_per_minute=3, room_messages_per_minute=100)


def waits(limiter: Limiter, event: Event, *times: float) -> list[float]:
    return [limiter.take(event, now).wait_seconds for now in times]


def test_what_is_within_the_limit_does_not_wait() -> None:
    assert waits(Limiter(Access(), THREE), a_message(), 0, 0, 0) == [0, 0, 0]


def test_more_waits_until_its_share_is_there_again() -> None:
    assert waits(Limiter(Access(), THREE), a_message(), 0, 0, 0, 0) == [0, 0, 0, 20]


def test_what_comes_while_somebody_waits_waits_for_the_same_moment() -> None:
    found = waits(Limiter(Access(), THREE), a_message(), 0, 0, 0, 0, 5, 10, 15)
    assert found == pytest.approx([0, 0, 0, 20, 15, 10, 5])


def test_no_flood_waits_longer_than_a_minute() -> None:
    limiter = Limiter(Access(), THREE)
    assert max(waits(limiter, a_message(), *[0.0] * 500, 21.0)) <= 60


def test_a_quiet_minute_makes_good() -> None:
    limiter = Limiter(Access(), THREE)
    waits(limiter, a_message(), 0, 0, 0, 0)
    assert waits(limiter, a_message(), 100, 100, 100) == [0, 0, 0]


def test_one_notice_a_minute() -> None:
    limiter = Limiter(Access(), THREE)
    told = [limiter.take(a_message(), now).notice for now in (0, 0, 0, 0, 1, 2, 30, 59.0, 61.0)]
    assert told == [False, False, False, True, False, False, False, False, True]


def test_persons_do_not_wait_for_each_other_but_rooms_have_a_limit_too() -> None:
    limiter = Limiter(Access(), Limits(messages_per_minute=3, room_messages_per_minute=4))
    ann, bob = a_message(), a_message(author=Author(id="bob"))
    assert waits(limiter, ann, 0, 0, 0) == [0, 0, 0]
    assert limiter.take(bob, 0).wait_seconds == 0
    pace = limiter.take(bob, 0)
    assert (pace.wait_seconds, pace.room, pace.notice) == (15, True, True)
    elsewhere = a_message(author=Author(id="eve"), room=Room(platform="paper", workspace="u1", chat="c2"))
    assert limiter.take(elsewhere, 0).wait_seconds == 0


@pytest.mark.parametrize("fate", [Fate.DROPPED, Fate.SEEN_BEFORE, None])
def test_what_came_to_nothing_is_uncounted(fate: Fate | None) -> None:
    limiter = Limiter(Access(), THREE)
    for _ in range(50):
        event = a_message()
        pace = limiter.take(event, 0)
        assert pace.wait_seconds == 0
        limiter.settle(event, pace, fate)


def test_a_notice_that_was_never_said_is_said_next_time() -> None:
    limiter = Limiter(Access(), THREE)
    waits(limiter, a_message(), 0, 0, 0)
    unsaid = limiter.take(a_message(), 0)
    limiter.settle(a_message(), unsaid, None)
    assert unsaid.notice and limiter.take(a_message(), 0).notice


@pytest.mark.parametrize("kind", [Kind.EDIT, Kind.DELETE, Kind.REACTION, Kind.MEMBERSHIP, Kind.MOVED])
def test_what_asks_for_no_work_is_not_counted(kind: Kind) -> None:
    limiter = Limiter(Access(), THREE)
    assert all(limiter.take(a_message(kind=kind), 0) is UNHURRIED for _ in range(10))


def test_zero_means_no_limit() -> None:
    limiter = Limiter(Access(), Limits(messages_per_minute=0, room_messages_per_minute=0))
    assert max(waits(limiter, a_message(), *[0.0] * 1000)) == 0


def test_bots_that_were_not_heard_leave_room_for_others() -> None:
    limiter = Limiter(Access(bots=True, bot_cap=2), Limits())
    event = a_message(author=Author(id="b", is_bot=True))
    for _ in range(5):
        pace = limiter.take(event, 0)
        assert not pace.bot_capped
        limiter.settle(event, pace, Fate.DROPPED)
    assert [limiter.take(event, 0).bot_capped for _ in range(3)] == [False, False, True]


def test_memory_is_bounded_and_the_most_silent_are_forgotten() -> None:
    limiter = Limiter(Access(), Limits(messages_per_minute=1, room_messages_per_minute=0), remembered=10)
    for number in range(1000):
        author = Author(id=f"p{number}")
        pace = limiter.take(a_message(author=author), 0)
        limiter.settle(a_message(author=author), pace, Fate.ANSWERED, REFUSED)
    assert limiter.remembered <= 40
    assert limiter.take(a_message(author=Author(id="p999")), 0).wait_seconds > 0
    assert limiter.take(a_message(author=Author(id="p0")), 0).wait_seconds == 0


def passed(gatekeeper: Gatekeeper, event: Event, standing: Standing) -> Accept | Answer | None:
    entry = gatekeeper.ready(event)
    verdict = entry.judge(entry.event, standing)
    match verdict:
        case Accept():
            gatekeeper.settle(entry, Ingested(fate=Fate.QUEUED))
        case Answer():
            gatekeeper.settle(entry, Ingested(fate=Fate.ANSWERED, because=verdict.because))
        case _:
            gatekeeper.settle(entry, Ingested(fate=Fate.DROPPED))
            return None
    return verdict


def test_the_gatekeeper_lets_chatter_of_others_cost_nobody_anything() -> None:
    gatekeeper = Gatekeeper(some_rules(limits=THREE), Limiter(Access(), THREE), StoppedClock())
    assert [passed(gatekeeper, a_message("chatter"), known()) for _ in range(50)] == [None] * 50
    spoken_to = [passed(gatekeeper, a_message(mentions_bot=True), known()) for _ in range(4)]
    assert [verdict is not None and verdict != Accept() for verdict in spoken_to] == [False, False, False, True]


def test_the_gatekeeper_turns_a_stranger_away_once() -> None:
    clock = StoppedClock()
    gatekeeper = Gatekeeper(some_rules(), Limiter(Access(), Limits()), clock)
    first = passed(gatekeeper, a_message(direct=True), STRANGER)
    assert isinstance(first, Answer)
    assert passed(gatekeeper, a_message(direct=True), STRANGER) is None
    clock.seconds = 700
    assert isinstance(passed(gatekeeper, a_message(direct=True), STRANGER), Answer)


def test_the_gatekeeper_cuts_and_says_so() -> None:
    limits = Limits(text_characters=10)
    gatekeeper = Gatekeeper(some_rules(limits=limits), Limiter(Access(), limits), StoppedClock())
    entry = gatekeeper.ready(a_message("0123456789abcdef", direct=True))
    verdict = entry.judge(entry.event, known())
    assert entry.event.text.startswith("0123456789\n")
    assert isinstance(verdict, Accept) and "16 characters" in spoken(verdict.notice)


def test_the_gatekeeper_gives_back_what_the_database_did_not_take() -> None:
    gatekeeper = Gatekeeper(some_rules(limits=THREE), Limiter(Access(), THREE), StoppedClock())
    for _ in range(10):
        gatekeeper.settle(gatekeeper.ready(a_message(direct=True)), None)
    assert passed(gatekeeper, a_message(direct=True), known()) == Accept()
