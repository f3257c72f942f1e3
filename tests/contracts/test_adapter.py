"""One suite for every adapter: what `bot/adapter.py` promises, whatever the platform.

A platform is put on trial by its rig, `tests/contracts/rigs/<platform>.py`. What a platform cannot do is said in its
`checklist.toml`, with the reason; everything that is claimed there and can be tried is tried here.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings

import adapters
from adapters import _shared
from bot import registry
from bot.adapter import Adapter, Connection
from bot.cards import Action, Card, Field, FieldKind, Option, Style
from bot.errors import DeliveryError, Gone, RateLimited, Refused, StartError, Unknown, Unreachable, Vanished
from bot.events import Attachment, Event, Kind, Room, dump, load
from bot.replies import OutFile, Part, PartKind, Reply
from tests.contracts import rigs
from tests.contracts.rigs._mailbox import Mailbox, listening
from tests.contracts.rigs._samples import GROWING, SAMPLES
from tests.contracts.rigs._trial import FILL, POST, RETRY_AFTER, Answer, Rig, Trial, Trouble, checklist
from tests.support.markdown import Said, documents, is_in_order, letters, noise
from tests.support.pictures import png

ROOT = Path(__file__).parents[2]
RIGS = registry.discover(rigs, "RIG", Rig)
RULES = checklist(Path(_shared.__path__[0]))
LIBRARIES = (
    *("telegram", "slack_bolt", "slack_sdk", "discord", "lark_oapi", "github", "litellm", "openai"),
    *("aiohttp", "httpx", "jinja2", "sqlalchemy"),
)
STEPS_TO_PLAIN = 4
KNOWN_ERRORS = (RateLimited, Unreachable, Unknown, Refused)


def platforms() -> list[str]:
    """Return the names of the folders that hold an adapter."""
    root = Path(adapters.__path__[0])
    return sorted(path.name for path in root.iterdir() if path.is_dir() and not path.name.startswith("_"))


def no_rig(names: list[str], known: dict[str, Rig]) -> list[str]:
    """Return what to do for adapters that nobody can put on trial."""
    return [
        f"adapters/{name} has no rig: write tests/contracts/rigs/{name}.py with a RIG, so that this suite can try it"
        for name in names
        if name not in known
    ]


@pytest.fixture(params=sorted({*RIGS, *platforms()}))
def rig(request: pytest.FixtureRequest) -> Rig:
    for complaint in no_rig([request.param], RIGS):
        pytest.fail(complaint)
    return RIGS[request.param]


@pytest.fixture
async def trial(rig: Rig, tmp_path: Path) -> AsyncIterator[Trial]:
    async with rig.start(tmp_path) as trial:
        yield trial
        assert list(trial.complaints()) == []


def needs(trial: Trial, rule: str) -> None:
    """Go on only where the checklist claims the rule."""
    answer = trial.answers[rule]
    if not isinstance(answer, str):
        pytest.skip(f"exempt from {rule}: {answer['reason']}")


# --- the folder ------------------------------------------------------------------------------------------


def test_an_adapter_without_a_rig_is_told_what_to_write() -> None:
    assert no_rig(["papyrus"], RIGS) == [
        "adapters/papyrus has no rig: write tests/contracts/rigs/papyrus.py with a RIG, so that this suite can try it"
    ]
    assert no_rig(["web"], RIGS) == []


def members(protocol: type) -> Iterator[tuple[str, Any]]:
    return ((name, member) for name, member in vars(protocol).items() if not name.startswith("_"))


def test_the_adapter_has_every_member_of_the_contract(rig: Rig) -> None:
    for name, member in members(Adapter):
        offered = getattr(rig.adapter, name)
        if callable(member):
            assert list(inspect.signature(offered).parameters) == list(inspect.signature(member).parameters)[1:], name
            assert inspect.iscoroutinefunction(offered) == inspect.iscoroutinefunction(member), name
    assert rig.adapter.name == rig.name


def test_each_setting_has_a_sentence_and_a_value_that_a_file_can_hold(rig: Rig) -> None:
    for key, sentence in rig.adapter.environment.items():
        assert re.fullmatch(r"[A-Z][A-Z0-9_]+", key), key
        assert sentence.strip(), key
    for key, value in rig.adapter.options.items():
        assert isinstance(value, str | int | float | bool | list), key


def test_importing_an_adapter_loads_no_library_that_only_open_accounts_need() -> None:
    for name in platforms():
        program = f"import sys, adapters.{name}; print(*(set({LIBRARIES!r}) & set(sys.modules)))"
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.split() == [], name


def test_an_adapter_has_a_simulator_or_says_why_not() -> None:
    for name in platforms():
        folder = ROOT / "adapters" / name
        has = (folder / "simulator.py").exists() or (folder / "simulator").is_dir()
        assert has == (checklist(folder)["simulator"] == "done"), name


# --- the checklist ---------------------------------------------------------------------------------------


def complaints(answers: dict[str, Answer]) -> list[str]:
    """Return what is wrong with the answers of a checklist."""
    found = [f"{rule} is not answered: {RULES[rule]}" for rule in RULES if rule not in answers]
    found += [f"{rule} is no rule of adapters/_shared/checklist.toml" for rule in answers if rule not in RULES]
    for rule, answer in answers.items():
        exempt = isinstance(answer, dict) and answer.get("status") == "exempt" and answer.get("reason", "").strip()
        if answer != "done" and not exempt:
            found.append(f"{rule} must be done, or exempt with a reason")
    return found


@pytest.mark.parametrize("name", platforms())
def test_every_rule_is_answered(name: str) -> None:
    assert complaints(checklist(ROOT / "adapters" / name)) == []


def test_a_rule_is_one_sentence() -> None:
    for rule, sentence in RULES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule), rule
        assert re.fullmatch(r"[A-Z].*\.", sentence), rule


def test_a_checklist_with_holes_is_complained_of() -> None:
    good: dict[str, Answer] = dict.fromkeys(RULES, "done")
    assert complaints(good) == []
    assert complaints({**good, "doctor": {"status": "exempt", "reason": "it is never ill"}}) == []
    for answer in ("todo", {"status": "exempt"}, {"status": "exempt", "reason": " "}):
        assert complaints({**good, "doctor": answer}) == ["doctor must be done, or exempt with a reason"]
    assert complaints({**good, "flies": "done"}) == ["flies is no rule of adapters/_shared/checklist.toml"]
    good.pop("doctor")
    assert complaints(good) == [f"doctor is not answered: {RULES['doctor']}"]


@pytest.mark.parametrize("name", platforms())
def test_limits_have_links(name: str) -> None:
    folder = ROOT / "adapters" / name
    linked = "https://" in (folder / "facts.py").read_text()
    assert linked or checklist(folder)["limits-have-links"] != "done"


# --- rendering: pure and total ---------------------------------------------------------------------------


def storable(parts: tuple[Part, ...]) -> None:
    """Check that parts are the same after they were stored, in whichever database."""
    for part in parts:
        stored = orjson.dumps(part.body)
        assert orjson.loads(stored) == part.body
        # https://www.postgresql.org/docs/current/datatype-json.html: jsonb takes no NUL
        assert rb"\u0000" not in stored


async def test_rendering_is_pure_and_never_empty(trial: Trial) -> None:
    for sample in SAMPLES:
        parts = trial.adapter.render(Reply(text=sample.text))
        assert parts, f"{sample.name}: rendered to nothing"
        assert parts == trial.adapter.render(Reply(text=sample.text)), f"{sample.name}: rendered differently"
        storable(parts)


async def test_previewing_is_pure_at_every_prefix(trial: Trial) -> None:
    head = (
        "# Head\n\n| a | b |\n|---|---|\n| **c** | `d` |\n\n- x\n  ```py\n  y = '😀'\n  ```\n\n> q\n\n<b>z</b> [l](u)"
    )
    for end in range(len(head) + 1):
        part = trial.adapter.preview(head[:end])
        assert part.kind is PartKind.TEXT
        assert part == trial.adapter.preview(head[:end]), f"{head[:end]!r}: previewed differently"
        storable((part,))


def test_labels_and_names_of_any_characters_can_be_stored(rig: Rig) -> None:
    odd = "a\x00b\ud800c\x1b"
    field = Field(name=odd, label=odd, placeholder=odd, options=(Option(label=odd, value=odd),))
    actions = (Action(label=odd, value="/do"), Action(label=odd, value=odd), Action(label="\ud800", value="/it"))
    card = Card(text=odd, fields=(field, replace(field, kind=FieldKind.CHOICE)), actions=actions)
    files = (OutFile(name=odd, path=Path("out.bin")), OutFile(name=odd, path=Path("out.png"), media_type="image/png"))
    storable(rig.adapter.render(Reply(text=odd, card=card, files=files)))
    storable(rig.adapter.render(Reply(files=files)))


@pytest.mark.parametrize("adapter", [rig.adapter for rig in RIGS.values()], ids=list(RIGS))
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(document=documents, rubbish=noise)
def test_anything_can_be_rendered(adapter: Adapter, document: Said, rubbish: str) -> None:
    for text in (document.source, rubbish, document.source + rubbish):
        storable(adapter.render(Reply(text=text)))
        storable((adapter.preview(text),))


async def post_all(trial: Trial, reply: Reply, key: str) -> list[str]:
    return [await trial.post(part, f"{key}:{place}") for place, part in enumerate(trial.adapter.render(reply))]


async def test_every_sample_fits_and_says_its_words_in_order(trial: Trial) -> None:
    for sample in SAMPLES:
        ids = await post_all(trial, Reply(text=sample.text), sample.name)
        shown = [one for one in await trial.shown() if one.id in ids]
        assert [one.id for one in shown] == ids, f"{sample.name}: stands in another order"
        assert all(one.text for one in shown), f"{sample.name}: a message shows nothing"
        said = letters(" ".join(one.text for one in shown))
        assert is_in_order(letters(" ".join(sample.words)), said), f"{sample.name}: words are missing"


async def test_a_preview_fits_in_one_message_at_every_length(trial: Trial) -> None:
    message_id = await trial.post(None, "run:1")
    text = GROWING.text
    for end in (*range(0, 60, 6), *range(60, len(text), 613), len(text)):
        await trial.fill(message_id, trial.adapter.preview(text[:end]))
    for sample in SAMPLES:
        await trial.fill(message_id, trial.adapter.preview(sample.text))
    await trial.fill(message_id, trial.part("the answer"))
    assert [one.text for one in await trial.shown()] == ["the answer"]


async def test_plainer_ends_soon_is_taken_and_says_the_same(trial: Trial) -> None:
    (path := trial.toolkit().home / "dot.png").write_bytes(png())
    file = OutFile(name="dot.png", path=path, media_type="image/png")
    replies = [Reply(text=sample.text) for sample in SAMPLES if len(sample.text) < 5_000]
    for number, reply in enumerate((*replies, Reply(text="**look** at [this](https://example.com)", files=(file,)))):
        for place, part in enumerate(trial.adapter.render(reply)):
            await descend(trial, part, f"{number}:{place}")


async def descend(trial: Trial, part: Part, key: str) -> None:
    """Post every plainer form of a part."""
    said = (await trial.message(await trial.post(part, key))).text
    for step in range(STEPS_TO_PLAIN):
        plainer = trial.adapter.plainer(part)
        if plainer is None:
            return
        part = plainer
        storable((part,))
        shown = await trial.message(await trial.post(part, f"{key}:{step}"))
        assert is_in_order(letters(said), letters(shown.text)), "a plainer form says less"
    pytest.fail(f"it is not plain after {STEPS_TO_PLAIN} steps: {part}")


async def test_files_go_out_under_their_names(trial: Trial) -> None:
    needs(trial, "files-both-ways")
    (home := trial.toolkit().home / "out").mkdir()
    (home / "a.csv").write_bytes(b"1,2")
    (home / "b.png").write_bytes(png())
    files = (
        OutFile(name="a.csv", path=home / "a.csv", media_type="text/csv"),
        OutFile(name="b.png", path=home / "b.png", media_type="image/png"),
    )
    parts = trial.adapter.render(Reply(text="see", files=files))
    assert [part.kind for part in parts] == [PartKind.TEXT, PartKind.FILE, PartKind.FILE]
    ids = await post_all(trial, Reply(text="see", files=files), "run:1")
    assert [(await trial.message(one)).files for one in ids] == [(), ("a.csv",), ("b.png",)]
    reserved = await trial.post(None, "run:2")
    await trial.fill(reserved, parts[1])
    assert (await trial.message(reserved)).files == ("a.csv",)


# --- the way out -----------------------------------------------------------------------------------------


async def test_a_placeholder_is_filled_and_filling_again_changes_nothing(trial: Trial) -> None:
    needs(trial, "placeholder-then-fill")
    message_id = await trial.post(None, "run:1")
    assert message_id
    assert await trial.message(message_id)
    for _ in range(3):
        await trial.fill(message_id, trial.part("the answer"))
        assert [one.text for one in await trial.shown()] == ["the answer"]
    await trial.fill(message_id, trial.part("another"))
    assert [(one.id, one.text) for one in await trial.shown()] == [(message_id, "another")]


async def test_what_was_posted_shows_and_can_be_filled_with_the_same(trial: Trial) -> None:
    message_id = await trial.post(trial.part("said"), "run:1")
    await trial.fill(message_id, trial.part("said"))
    assert [(one.id, one.text) for one in await trial.shown()] == [(message_id, "said")]


async def test_messages_stand_in_the_order_of_their_posts(trial: Trial) -> None:
    ids = [await trial.post(trial.part(f"number {number}"), f"run:{number}") for number in range(5)]
    assert [one.id for one in await trial.shown()] == ids
    assert len(set(ids)) == 5


async def test_a_repeated_post_is_one_message_or_the_platform_reserves(trial: Trial) -> None:
    if not trial.does("posts-are-idempotent"):
        assert trial.adapter.capabilities.reserves, "what cannot be proved must be reserved and filled"
        return
    first = await trial.post(trial.part("said"), "run:1")
    assert await trial.post(trial.part("said"), "run:1") == first
    placeholder = await trial.post(None, "run:2")
    await trial.fill(placeholder, trial.part("filled"))
    assert await trial.post(None, "run:2") == placeholder
    assert [one.text for one in await trial.shown()] == ["said", "filled"]


async def test_a_lost_post_is_found_by_its_key_or_never(trial: Trial) -> None:
    message_id = await trial.post(trial.part("said"), "run:1")
    found = await trial.connection.find(trial.room, key="run:1")
    assert found == (message_id if trial.does("lost-posts-are-found") else None)
    assert await trial.connection.find(trial.room, key="run:2") is None
    await trial.connection.remove(trial.room, message_id)
    assert await trial.connection.find(trial.room, key="run:1") is None


async def test_what_was_removed_is_gone_and_may_be_removed_again(trial: Trial) -> None:
    kept = await trial.post(trial.part("kept"), "run:1")
    removed = await trial.post(trial.part("removed"), "run:2")
    for _ in range(2):
        await trial.connection.remove(trial.room, removed)
        assert [one.id for one in await trial.shown()] == [kept]


async def test_an_answer_stands_as_a_reply_to_its_question(trial: Trial) -> None:
    needs(trial, "replies-are-anchored")
    question = await trial.say("why?")
    for number, part in enumerate((None, trial.part("because"))):
        message_id = await trial.post(part, f"run:{number}", anchor=question)
        assert (await trial.message(message_id)).reply_to == question


async def test_an_anchor_that_nobody_knows_loses_no_message(trial: Trial) -> None:
    message_id = await trial.post(trial.part("because"), "run:1", anchor="987654")
    shown = await trial.message(message_id)
    assert (shown.text, shown.reply_to) == ("because", "")


async def test_each_topic_gets_its_own_and_nothing_else(trial: Trial) -> None:
    for number, room in enumerate(trial.topics):
        await trial.post(trial.part(f"for {number}"), f"run:{number}", room=room)
        reserved = await trial.post(None, f"more:{number}", room=room)
        await trial.connection.fill(room, reserved, trial.part(f"more for {number}"))
    for number, room in enumerate(trial.topics):
        assert [one.text for one in await trial.shown(room)] == [f"for {number}", f"more for {number}"]


# --- errors ----------------------------------------------------------------------------------------------


async def the_error(trial: Trial, call: Callable[[], Any]) -> DeliveryError:
    """Return the error of a call, after a look for secrets in everything that would be logged of it."""
    with pytest.raises(DeliveryError) as caught:
        await call()
    error = caught.value
    told = "".join(traceback.format_exception(error))
    assert not [secret for secret in trial.secrets if secret in told], f"a secret is in the text of {type(error)}"
    assert isinstance(error, KNOWN_ERRORS), type(error)
    assert str(error).startswith(error.platform)
    return error


async def struck(trial: Trial, trouble: Trouble, call: str) -> DeliveryError:
    """Return the error of a post or fill in trouble, after which all is well again."""
    if trouble in trial.lacks:
        pytest.skip(f"{trouble}: {trial.lacks[trouble]}")
    placeholder = await trial.post(None, "run:0")
    await trial.strike(trouble, call)
    if call == POST:
        error = await the_error(trial, lambda: trial.post(trial.part("said"), "run:1"))
    else:
        error = await the_error(trial, lambda: trial.fill(placeholder, trial.part("said")))
    await trial.heal()
    return error


async def said_again(trial: Trial) -> list[str]:
    """Repeat a fill that went wrong; return what is shown."""
    (placeholder,) = await trial.shown()
    await trial.fill(placeholder.id, trial.part("said"))
    return [one.text for one in await trial.shown()]


@pytest.mark.parametrize("call", [POST, FILL])
async def test_a_request_to_wait_carries_its_seconds(trial: Trial, call: str) -> None:
    error = await struck(trial, Trouble.RATE_LIMITED, call)
    assert isinstance(error, RateLimited)
    assert error.retry_after == RETRY_AFTER
    assert await said_again(trial) == ["said"]


@pytest.mark.parametrize("call", [POST, FILL])
async def test_what_the_platform_will_never_take_is_refused(trial: Trial, call: str) -> None:
    error = await struck(trial, Trouble.REFUSED, call)
    assert type(error) is Refused


@pytest.mark.parametrize("call", [POST, FILL])
async def test_without_a_connection_nothing_was_done(trial: Trial, call: str) -> None:
    error = await struck(trial, Trouble.UNREACHABLE, call)
    assert type(error) is Unreachable
    assert len(await trial.shown()) == 1
    assert await said_again(trial) == ["said"]


async def test_a_post_whose_answer_was_lost_is_unknown_or_cannot_stand_twice(trial: Trial) -> None:
    error = await struck(trial, Trouble.LOST_ANSWER, POST)
    if not trial.does("posts-are-idempotent"):
        assert type(error) is Unknown
        return
    assert isinstance(error, Unknown | Unreachable)
    await trial.post(trial.part("said"), "run:1")
    assert [one.text for one in await trial.shown()][1:] == ["said"]


async def test_a_post_that_broke_the_platform_may_stand(trial: Trial) -> None:
    error = await struck(trial, Trouble.BROKEN, POST)
    assert isinstance(error, Unknown if not trial.does("posts-are-idempotent") else Unknown | Unreachable)


@pytest.mark.parametrize("trouble", [Trouble.LOST_ANSWER, Trouble.BROKEN])
async def test_a_fill_without_an_answer_can_be_repeated(trial: Trial, trouble: Trouble) -> None:
    error = await struck(trial, trouble, FILL)
    assert isinstance(error, Unreachable | Unknown | RateLimited)
    assert await said_again(trial) == ["said"]


async def test_a_closed_room_is_gone(trial: Trial) -> None:
    room = await trial.closed()
    for part in (None, trial.part("hello?")):
        error = await the_error(trial, lambda part=part: trial.post(part, "run:1", room=room))  # type: ignore[misc]
        assert type(error) is Gone


async def test_a_message_that_is_no_more_has_vanished(trial: Trial) -> None:
    message_id = await trial.post(None, "run:1")
    await trial.take_away(message_id)
    error = await the_error(trial, lambda: trial.fill(message_id, trial.part("too late")))
    assert type(error) is Vanished


async def test_a_file_that_is_gone_from_our_disk_is_refused(trial: Trial) -> None:
    needs(trial, "files-both-ways")
    file = OutFile(name="gone.csv", path=trial.toolkit().home / "gone.csv")
    (part,) = trial.adapter.render(Reply(files=(file,)))
    error = await the_error(trial, lambda: trial.post(part, "run:1"))
    assert type(error) is Refused
    assert list(await trial.shown()) == []


async def test_an_account_that_cannot_be_opened_says_the_cure(trial: Trial) -> None:
    with pytest.raises(StartError) as caught:
        await trial.adapter.open(trial.bad_toolkit())
    told = "".join(traceback.format_exception(caught.value))
    assert str(caught.value).strip()
    wrong = trial.bad_toolkit().environment.values()
    assert not [secret for secret in (*trial.secrets, *wrong) if secret in told and not secret.startswith("http")]


async def test_the_doctor_finds_health_and_names_the_cure_for_illness(trial: Trial) -> None:
    needs(trial, "doctor")
    healthy = await trial.adapter.doctor(trial.toolkit())
    assert [check.title for check in healthy if not check.ok] == []
    assert healthy
    ill = [check for check in await trial.adapter.doctor(trial.bad_toolkit()) if not check.ok]
    assert ill
    assert all(check.title and check.fix for check in ill)


# --- the way in ------------------------------------------------------------------------------------------


def check_event(trial: Trial, event: Event) -> None:
    """Check what must hold of every event."""
    assert event.room.platform == trial.adapter.name
    assert event.room.workspace == trial.connection.account
    assert Room.from_key(event.room.key) == event.room
    assert event.id.startswith(f"{trial.adapter.name}:"), "ids of two platforms could be the same"
    assert event.received_at.utcoffset() is not None
    assert load(dump(event)) == event


async def test_what_is_said_arrives_in_order_with_ids_of_its_own(trial: Trial) -> None:
    said = [f"number {number}" for number in range(5)]
    async with listening(trial.connection, Mailbox()) as mailbox:
        ids = [await trial.say(text) for text in said]
        events = await mailbox.gets(Kind.MESSAGE, 5)
    assert [event.text for event in events] == said
    assert [event.message_id for event in events] == ids
    assert len({event.id for event in events}) == 5
    for event in events:
        check_event(trial, event)
        assert event.room == trial.room
        assert event.author.id
        assert not event.author.is_bot


async def test_each_topic_is_a_room(trial: Trial) -> None:
    async with listening(trial.connection, Mailbox()) as mailbox:
        for number, room in enumerate(trial.topics):
            await trial.say(f"in {number}", room)
        events = await mailbox.gets(Kind.MESSAGE, 2)
    assert [(event.room, event.text) for event in events] == [(trial.topics[0], "in 0"), (trial.topics[1], "in 1")]


async def test_what_was_confirmed_does_not_come_after_a_restart(trial: Trial) -> None:
    async with listening(trial.connection, Mailbox()) as before:
        await trial.say("one")
        await before.gets(Kind.MESSAGE)
        await trial.settled()
    await trial.restart()
    async with listening(trial.connection, Mailbox()) as after:
        await trial.say("two")
        await after.gets(Kind.MESSAGE)
        await trial.settled()
    assert (before.texts, after.texts) == (["one"], ["two"])
    assert before.events[0].id != after.events[0].id


async def test_nothing_is_confirmed_before_it_is_committed(trial: Trial) -> None:
    async with listening(trial.connection, Mailbox(stuck=True)) as stuck:
        saying = asyncio.create_task(trial.say("do not lose me"))
        await stuck.until(lambda: bool(stuck.tries))
    await trial.restart()
    await saying
    async with listening(trial.connection, Mailbox()) as mailbox:
        await trial.settled()
    assert [event.id for event in mailbox.events] == [stuck.tries[0][0].id]
    assert mailbox.texts == ["do not lose me"]


async def test_what_could_not_be_stored_comes_again_until_it_is(trial: Trial) -> None:
    async with listening(trial.connection, Mailbox(busy=2)) as mailbox:
        await trial.say("one")
        await trial.settled()
        assert mailbox.texts == ["one"]
        await trial.say("two")
        await trial.settled()
    assert mailbox.texts == ["one", "two"]
    assert {batch[0].id for batch in mailbox.tries[:3]} == {mailbox.events[0].id}


async def test_nonsense_in_the_middle_stops_nothing_behind_it(trial: Trial) -> None:
    async with listening(trial.connection, Mailbox()) as mailbox:
        await trial.say("before")
        await trial.garble()
        await trial.say("behind")
        await trial.settled()
    assert mailbox.texts == ["before", "behind"]


async def test_nonsense_that_comes_first_stops_nothing_either(trial: Trial) -> None:
    async with listening(trial.connection, Mailbox()) as mailbox:
        await trial.garble()
        await trial.settled()
        await trial.say("behind")
        await trial.settled()
    assert mailbox.texts == ["behind"]


async def test_our_own_words_are_ours_or_never_come_back(trial: Trial) -> None:
    async with listening(trial.connection, Mailbox()) as mailbox:
        message_id = await trial.post(trial.part("I said this"), "run:1")
        await trial.fill(message_id, trial.part("I said that"))
        await trial.say("you said this")
        await mailbox.until(lambda: "you said this" in mailbox.texts)
    assert [event.text for event in mailbox.events if not event.author.is_us] == ["you said this"]


async def test_an_edit_names_the_message_that_it_changes(trial: Trial) -> None:
    needs(trial, "edits-and-deletes-by-people")
    async with listening(trial.connection, Mailbox()) as mailbox:
        message_id = await trial.say("helo")
        await trial.edit(message_id, "hello")
        (event,) = await mailbox.gets(Kind.EDIT)
    assert (event.message_id, event.text) == (message_id, "hello")
    assert event.id not in {said.id for said in mailbox.of(Kind.MESSAGE)}
    check_event(trial, event)


async def test_a_file_can_be_fetched_up_to_the_limit(trial: Trial) -> None:
    needs(trial, "files-both-ways")
    data = bytes(range(256)) * 40
    home = trial.toolkit().home
    async with listening(trial.connection, Mailbox()) as mailbox:
        await trial.send(("notes.bin", data))
        ((attachment,),) = [event.files for event in await mailbox.gets(Kind.MESSAGE)]
    assert attachment.name == "notes.bin"
    assert attachment.size in (None, len(data))
    await trial.connection.fetch(attachment, home / "got.bin", limit=len(data))
    assert (home / "got.bin").read_bytes() == data
    for refused in (attachment, Attachment(name="x", handle=attachment.handle)):
        error = await the_error(
            trial,
            lambda refused=refused: trial.connection.fetch(refused, home / "no.bin", limit=len(data) - 1),  # type: ignore[misc]
        )
        assert type(error) is Refused
    gone = Attachment(name="gone.bin", handle="there-is-no-such-file")
    assert type(await the_error(trial, lambda: trial.connection.fetch(gone, home / "no.bin", limit=9))) is Refused
    assert not (home / "no.bin").exists()


async def test_files_that_were_sent_as_one_can_be_known_as_one(trial: Trial) -> None:
    needs(trial, "files-both-ways")
    async with listening(trial.connection, Mailbox()) as mailbox:
        await trial.send(("a.bin", b"a"), ("b.bin", b"b"), ("c.bin", b"c"))
        await mailbox.until(lambda: sum(len(event.files) for event in mailbox.events) == 3)
        together = list(mailbox.events)
        await trial.send(("d.bin", b"d"))
        await mailbox.until(lambda: sum(len(event.files) for event in mailbox.events) == 4)
    assert [file.name for event in together for file in event.files] == ["a.bin", "b.bin", "c.bin"]
    assert len({event.group for event in together}) == 1
    assert len(together) == 1 or together[0].group
    assert not mailbox.events[-1].group or mailbox.events[-1].group != together[0].group


# --- cards -----------------------------------------------------------------------------------------------


async def pressed(trial: Trial, mailbox: Mailbox, message_id: str, place: int) -> Event:
    """Press a button and return the click that arrives."""
    before = len(mailbox.of(Kind.CLICK))
    await trial.press(message_id, place)
    return (await mailbox.gets(Kind.CLICK, before + 1))[before]


async def test_a_button_of_ours_says_its_word(trial: Trial) -> None:
    needs(trial, "cards-are-native")
    actions = (
        Action(label="Stop it", value="/stop"),
        Action(label="Go on", value="/model big", style=Style.PRIMARY),
        Action(label="Löschen 🗑", value="/new ü", style=Style.DANGER),
    )
    (message_id,) = await post_all(trial, Reply(card=Card(text="Sure?", actions=actions)), "run:1")
    shown = await trial.message(message_id)
    assert "Sure?" in shown.text
    assert shown.buttons == tuple(action.label for action in actions)
    async with listening(trial.connection, Mailbox()) as mailbox:
        clicks = [await pressed(trial, mailbox, message_id, place) for place in range(3)]
        await trial.settled()
    assert [click.text for click in clicks] == [action.value for action in actions]
    assert len({click.id for click in clicks}) == 3
    for click in clicks:
        check_event(trial, click)
        assert click.room == trial.room
        assert click.author.id


def actions_of_every_size() -> tuple[Action, ...]:
    """Return more actions than a platform may like, with labels and words that are too long for some."""
    sizes = (3, 30, 90, 400)
    return tuple(
        Action(
            label=f"{number}: ".ljust(sizes[number % 4], "ä😀x"[number % 3]),
            value=f"/do {number}".ljust(5 + number, "x"),
        )
        for number in range(120)
    )


async def test_of_many_and_long_actions_each_stays_in_reach(trial: Trial) -> None:
    needs(trial, "cards-are-native")
    actions = actions_of_every_size()
    ids = await post_all(trial, Reply(text="Choose", card=Card(actions=actions)), "run:1")
    shown = [await trial.message(message_id) for message_id in ids]
    buttons = [(one.id, place, label) for one in shown for place, label in enumerate(one.buttons)]
    text = letters(" ".join(one.text for one in shown))
    left = [action for action in actions if letters(action.value) not in text]
    assert len(left) == len(buttons), "an action can be reached neither by a button nor by its word"
    async with listening(trial.connection, Mailbox()) as mailbox:
        for number in (0, len(buttons) // 2, len(buttons) - 1):
            message_id, place, label = buttons[number]
            assert left[number].label.strip().startswith(label.strip().rstrip("…")), "a button has the label of another"
            assert (await pressed(trial, mailbox, message_id, place)).text == left[number].value


async def test_a_card_on_a_placeholder_has_its_buttons(trial: Trial) -> None:
    needs(trial, "cards-are-native")
    message_id = await trial.post(None, "run:1")
    (part,) = trial.adapter.render(Reply(text="Well?", card=Card(actions=(Action(label="Yes", value="/yes"),))))
    for _ in range(2):
        await trial.fill(message_id, part)
        assert (await trial.message(message_id)).buttons == ("Yes",)
    await trial.fill(message_id, trial.part("answered"))
    assert (await trial.message(message_id)).buttons == ()


# --- what it says of itself ------------------------------------------------------------------------------


async def test_its_capabilities_tell_the_truth(trial: Trial) -> None:
    facts = trial.adapter.capabilities
    assert facts.edits == trial.does("previews")
    assert facts.reserves <= trial.does("placeholder-then-fill"), "what reserves must be able to fill"
    proves = trial.does("posts-are-idempotent") or trial.does("lost-posts-are-found")
    assert facts.reserves or proves, "what does not reserve must be able to prove a post"
    assert min(facts.max_file_bytes, facts.max_fetch_bytes, facts.room_burst) > 0
    assert min(facts.posts_per_second, facts.request_seconds) > 0
    assert facts.command_prefixes


async def test_the_account_has_every_member_of_the_contract(trial: Trial) -> None:
    for name, member in members(Connection):
        offered = getattr(trial.connection, name)
        if callable(member):
            assert list(inspect.signature(offered).parameters) == list(inspect.signature(member).parameters)[1:], name
    assert isinstance(trial.connection.account, str)
    assert isinstance(trial.connection.listens_alone, bool)


def test_every_rig_is_discovered() -> None:
    assert isinstance(rigs, ModuleType)
    assert set(RIGS) >= {"paper", "telegram", "web"}
