"""What all simulators share."""

from __future__ import annotations

import asyncio
import struct

import pytest

from adapters._shared.simulator.bucket import Bucket
from adapters._shared.simulator.calls import CallLog, RecordedCall
from adapters._shared.simulator.faults import Fault, FaultKind, FaultPlan
from adapters._shared.simulator.images import dimensions
from adapters._shared.simulator.live import QUEUED, Live
from adapters._shared.simulator.people import People
from adapters._shared.simulator.signal import Signal
from tests.support.pictures import png


def a_call(method: str = "send", chat: str = "1") -> RecordedCall:
    return RecordedCall(method=method, params={}, account="a", at=0.0, chat=chat)


def kinds(plan: FaultPlan, *calls: RecordedCall) -> list[list[str]]:
    return [[fault.kind.value for fault in plan.strike(call)] for call in calls]


def test_a_fault_strikes_the_next_call_once() -> None:
    plan = FaultPlan()
    plan.add(Fault(kind=FaultKind.DROP, method="send"))
    assert kinds(plan, a_call("edit"), a_call(), a_call()) == [[], ["drop"], []]
    assert plan.pending == ()


def test_a_fault_counts_the_calls_it_concerns() -> None:
    plan = FaultPlan()
    plan.add(Fault(kind=FaultKind.LOSE, method="send", chat="2", nth=2, times=2))
    calls = [a_call(chat="2"), a_call(chat="1"), a_call(chat="2"), a_call(chat="2"), a_call(chat="2")]
    assert kinds(plan, *calls) == [[], [], ["lose"], ["lose"], []]


def test_delays_come_before_one_other_fault() -> None:
    plan = FaultPlan()
    for kind in (FaultKind.DELAY, FaultKind.REFUSE, FaultKind.DROP):
        plan.add(Fault(kind=kind))
    assert kinds(plan, a_call(), a_call(), a_call()) == [["delay", "refuse"], ["drop"], []]


def test_people_are_the_same_in_every_run() -> None:
    people = People(first_id=7)
    ann, li = people.person("Ann Other"), people.person("李")
    assert (ann.id, ann.handle, li.id, li.handle) == (7, "ann_other", 8, "")
    assert people.person("Ann Other") is ann
    assert people.by_handle("ANN_other") is ann and people.by_id(8) is li and people.by_id(9) is None


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(40, 30), (40, 30)),
        (b"GIF89a" + struct.pack("<HH", 5, 6), (5, 6)),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08" + struct.pack(">HH", 8, 9) + b"\0" * 8, (9, 8)),
        (b"RIFF\0\0\0\0WEBPVP8X" + b"\0" * 8 + b"\x09\0\0\x13\0\0", (10, 20)),
        (b"\x89PNG\r\n\x1a\n", None),
        (b"\xff\xd8\xff", None),
        (b"%PDF-1.7", None),
        (b"", None),
    ],
)
def test_the_size_of_a_picture(data: bytes, size: tuple[int, int] | None) -> None:
    assert dimensions(data) == size


def test_a_bucket_says_how_long_to_wait() -> None:
    bucket = Bucket(per_second=2.0, burst=3.0, now=0.0)
    assert bucket.wait(3, 0.0) == 0
    bucket.take(3)
    assert bucket.wait(1, 0.0) == 0.5
    assert bucket.wait(1, 0.5) == 0
    assert bucket.wait(9, 100.0) == 0


async def test_a_signal_wakes_whoever_waits_for_something_to_become_true() -> None:
    signal, seen = Signal(), list[int]()
    waiting = asyncio.ensure_future(signal.until(lambda: seen if len(seen) == 2 else None))
    for number in (1, 2):
        await asyncio.sleep(0)
        seen.append(number)
        signal.notify()
    assert await waiting == [1, 2]
    with pytest.raises(TimeoutError):
        await signal.until(lambda: None, 0.01)


async def test_calls_can_be_waited_for() -> None:
    log = CallLog(keep=2)
    waiting = asyncio.ensure_future(log.wait(lambda call: call.method == "edit"))
    await asyncio.sleep(0)
    for method in ("send", "send", "edit"):
        log.add(a_call(method))
        log.answered()
    assert (await waiting).method == "edit"
    assert [call.method for call in log.all] == ["send", "edit"]
    assert log.of("send") == [log.all[0]]


async def test_a_page_that_does_not_read_is_told_to_load_again() -> None:
    live = Live()
    with live._open() as page:
        for number in range(QUEUED + 1):
            live.tell({"number": number})
        assert page.qsize() == 2
        assert page.get_nowait() == b'{"kind":"reload"}'
