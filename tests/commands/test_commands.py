"""What each control word answers and changes."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.cards import Card
from bot.command import Effect, Lane, NewThread, Outcome, PinModel, Rerun, StopRun
from bot.desk import UsageLine
from bot.errors import DeckhandError, NotAllowed, StorageBusy
from bot.people import Role
from bot.registry import discover
from bot.work import ControlClaim
from commands import texts
from commands.run import Commands
from tests.support.gates import LARGE, NOON, REGISTRY, SMALL, PaperDesk, a_message, a_person, find_command, invoked


async def said(name: str, desk: PaperDesk, *, argument: str = "", role: Role = Role.MEMBER) -> Outcome:
    return await REGISTRY[name].handler(invoked(name, desk, argument=argument, role=role))


def values(card: Card | None) -> list[str]:
    assert card is not None
    return [action.value for action in card.actions]


# --- the registry ---


def test_every_command_is_found_with_its_lane_and_role() -> None:
    control, thread = Lane.CONTROL, Lane.THREAD
    assert {name: command.lane for name, command in REGISTRY.items()} == {
        "help": control,
        "model": thread,
        "models": control,
        "new": thread,
        "retry": thread,
        "status": control,
        "stop": control,
        "usage": control,
    }
    assert [name for name, command in REGISTRY.items() if command.role is Role.GUEST] == ["help"]


def test_every_command_fits_the_menus_of_the_platforms() -> None:
    for command in REGISTRY.values():
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,31}", command.name)
        assert 3 <= len(command.summary) <= 100
        assert "\n" not in command.summary


def test_modules_that_are_no_commands_are_named() -> None:
    import commands

    with pytest.raises(DeckhandError, match=r"commands\.\w+ must define COMMAND"):
        discover(commands, "COMMAND", type(REGISTRY["new"]))


# --- /new, /retry, /stop ---


async def test_new_gives_a_fresh_thread() -> None:
    outcome = await said("new", PaperDesk())
    assert outcome.effects == (NewThread(),)
    assert outcome.reply.text == texts.NEW


async def test_retry_answers_in_its_own_run() -> None:
    assert await said("retry", PaperDesk()) == Outcome(effects=(Rerun(),))


@pytest.mark.parametrize(
    ("facts", "text", "effects"),
    [
        ({}, "Nothing is running here.", ()),
        ({"running": True}, "I stop what I was doing here.", (StopRun(),)),
        (
            {"running": True, "queued": 1},
            "I stop what I was doing here. 1 request is still waiting; send `/stop` again to cancel more.",
            (StopRun(),),
        ),
        ({"queued": 1}, "Nothing was running here; I cancelled 1 request that was waiting.", (StopRun(),)),
        ({"queued": 2}, "Nothing was running here; I cancelled 2 requests that were waiting.", (StopRun(),)),
    ],
)
async def test_stop_says_what_it_stopped(facts: dict[str, Any], text: str, effects: tuple[Effect, ...]) -> None:
    outcome = await said("stop", PaperDesk(**facts))
    assert (outcome.reply.text, outcome.effects) == (text, effects)


# --- /status ---


@pytest.mark.parametrize(
    ("facts", "first"),
    [
        ({}, "I am idle here."),
        ({"queued": 1}, "1 request is waiting."),
        ({"queued": 1200}, "1,200 requests are waiting."),
        ({"running": True, "running_since": NOON - timedelta(seconds=75)}, "I have been working here for 1 min 15 s."),
        (
            {"running": True, "running_since": NOON - timedelta(seconds=2), "queued": 3},
            "I have been working here for 2 s; 3 requests are waiting.",
        ),
        ({"running": True}, "I am working here."),
    ],
)
async def test_status_tells_what_goes_on(facts: dict[str, Any], first: str) -> None:
    outcome = await said("status", PaperDesk(**facts))
    assert outcome.reply.text.splitlines()[0] == f"- {first}"
    assert (outcome.reply.card is not None) is bool(facts)
    if facts:
        assert values(outcome.reply.card) == ["/stop"]


@pytest.mark.parametrize(
    ("pin", "line"),
    [
        ("", "Model: `small` (the default)."),
        ("Large-2", "Model: `Large-2` (pinned here)."),
        ("gone", "Model: `small` (in place of `gone`, which is no longer set up)."),
    ],
)
async def test_status_names_the_model_that_answers(pin: str, line: str) -> None:
    outcome = await said("status", PaperDesk(model_pin=pin, items=1))
    assert outcome.reply.text.splitlines()[1:] == ["- Conversation 12, 1 entry long.", f"- {line}"]


async def test_the_agents_own_model_is_the_default_wherever_it_stands_in_the_list() -> None:
    desk = PaperDesk(profiles=(SMALL, replace(LARGE, default=True)))
    assert "Model: `Large-2` (the default)." in (await said("status", desk)).reply.text
    assert "the default is `Large-2`" in (await said("model", desk)).reply.text
    listed = (await said("models", desk)).reply.text
    assert "- `small` Small One: " in listed
    assert "- `Large-2` (default): " in listed


async def test_in_the_place_of_a_vanished_model_the_first_one_answers() -> None:
    desk = PaperDesk(profiles=(SMALL, replace(LARGE, default=True)), model_pin="gone")
    assert "Model: `small` (in place of `gone`, which is no longer set up)." in (await said("status", desk)).reply.text
    assert "so `small` answers" in (await said("model", desk)).reply.text


async def test_status_without_any_model_says_so() -> None:
    assert "No model is set up." in (await said("status", PaperDesk(profiles=()))).reply.text


# --- /models, /model ---


async def test_models_lists_them_with_buttons() -> None:
    outcome = await said("models", PaperDesk(model_pin="Large-2"))
    assert outcome.reply.text.splitlines() == [
        "Models:",
        "- `small` Small One (default): 8,000 tokens of context, tools",
        "- `Large-2` (in use here): 1,000,000 tokens of context, images, tools",
        "",
        "`/model NAME` chooses one for this conversation.",
    ]
    assert values(outcome.reply.card) == ["/model small", "/model Large-2", "/model auto"]


async def test_the_card_has_few_buttons_however_many_models_there_are() -> None:
    profiles = [replace(SMALL, name=f"m{number}") for number in range(50)]
    outcome = await said("models", PaperDesk(profiles=profiles))
    assert len(values(outcome.reply.card)) == 10
    assert "`m49`" in outcome.reply.text


@pytest.mark.parametrize("name", ["models", "model"])
async def test_without_any_model_the_cure_is_named(name: str) -> None:
    outcome = await said(name, PaperDesk(profiles=()), argument="x")
    assert outcome == Outcome(reply=replace(outcome.reply, text=texts.NO_MODELS, card=None))


@pytest.mark.parametrize("word", ["Large-2", "large-2", "LARGE-2"])
async def test_model_pins_by_name_in_any_case(word: str) -> None:
    outcome = await said("model", PaperDesk(), argument=word)
    assert outcome.effects == (PinModel(model="Large-2"),)
    assert outcome.reply.text == "From now on this conversation uses `Large-2`."


async def test_a_name_that_differs_only_in_case_is_taken_exactly() -> None:
    desk = PaperDesk(profiles=(SMALL, replace(SMALL, name="SMALL")))
    assert (await said("model", desk, argument="SMALL")).effects == (PinModel(model="SMALL"),)


@pytest.mark.parametrize("word", ["auto", "AUTO"])
async def test_model_auto_clears_the_pin(word: str) -> None:
    outcome = await said("model", PaperDesk(model_pin="small"), argument=word)
    assert outcome.effects == (PinModel(model=""),)


@pytest.mark.parametrize(("word", "nearest"), [("smal", "small"), ("large2", "Large-2"), ("zzz", "")])
async def test_an_unknown_model_is_refused_naming_the_nearest(word: str, nearest: str) -> None:
    outcome = await said("model", PaperDesk(), argument=word)
    assert outcome.effects == ()
    assert f"There is no model `{word}`. Did you mean `{nearest}" in outcome.reply.text


async def test_an_unknown_model_is_quoted_harmlessly() -> None:
    outcome = await said("model", PaperDesk(), argument="a`b\n@everyone" + "x" * 500)
    assert outcome.reply.text.startswith("There is no model `a'b @everyone")
    assert len(outcome.reply.text) < 250


@pytest.mark.parametrize(
    ("pin", "begins"),
    [
        ("", "This conversation uses the agent's own model; the default is `small`."),
        ("Large-2", "This conversation uses `Large-2`."),
        ("gone", "This conversation is pinned to `gone`, which is no longer set up, so `small` answers."),
    ],
)
async def test_model_alone_shows_what_is_used(pin: str, begins: str) -> None:
    outcome = await said("model", PaperDesk(model_pin=pin))
    assert outcome.reply.text.startswith(begins)
    assert outcome.effects == ()
    assert values(outcome.reply.card) == ["/model small", "/model Large-2", "/model auto"]


# --- /help ---


async def test_help_lists_what_this_person_may_use() -> None:
    member = (await said("help", PaperDesk())).reply.text
    assert "- `/model [NAME|auto]`: Show or choose the model of this conversation." in member
    assert [line.split("`")[1].split()[0] for line in member.splitlines() if line.startswith("- ")] == [
        f"/{name}" for name in sorted(REGISTRY)
    ]
    assert member.endswith(texts.HELP_CHAT)
    guest = (await said("help", PaperDesk(), role=Role.GUEST)).reply.text
    assert guest == "- `/help [COMMAND]`: Tell what I can do."


@pytest.mark.parametrize("word", ["stop", "/stop", "!STOP"])
async def test_help_explains_one(word: str) -> None:
    text = (await said("help", PaperDesk(), argument=word)).reply.text
    assert text == "`/stop`: Stop what I am doing here.\n\nWho may use it: members and above."


async def test_help_names_the_nearest_word() -> None:
    text = (await said("help", PaperDesk(), argument="stopp")).reply.text
    assert text.startswith("There is no command `/stopp`. Did you mean `/stop`?")


# --- /usage ---

LINE = UsageLine(model="small", runs=1, tokens_in=12_345, tokens_out=678, cost_usd=0.123)


async def test_usage_sums_person_and_room_today_and_in_thirty_days() -> None:
    desk = PaperDesk(lines=(LINE, replace(LINE, model="Large-2", runs=2, cost_usd=0.0)))
    text = (await said("usage", desk)).reply.text
    assert "| You | today | 24,690 | 1,356 | $0.12 |" in text
    assert "| This room | today | 24,690 | 1,356 | $0.12 |" in text
    assert "- `small`: 1 run, 12,345 tokens in, 678 out, $0.12" in text
    assert "- `Large-2`: 2 runs, 12,345 tokens in, 678 out, $0.00" in text
    assert "Everyone" not in text
    midnight = NOON.replace(hour=0)
    month = midnight - timedelta(days=29)
    assert [(asked.since, asked.person_id, asked.room_key) for asked in desk.asked] == [
        (midnight, 7, None),
        (month, 7, None),
        (midnight, None, "paper/u1/c1/"),
        (month, None, "paper/u1/c1/"),
    ]


@pytest.mark.parametrize("role", [Role.ADMIN, Role.OWNER])
async def test_usage_shows_administrators_everyone(role: Role) -> None:
    desk = PaperDesk(lines=(LINE,))
    text = (await said("usage", desk, role=role)).reply.text
    assert "| Everyone | today |" in text
    assert {(asked.person_id, asked.room_key) for asked in desk.asked} >= {(None, None)}


async def test_usage_of_nothing_is_a_table_of_zeros() -> None:
    text = (await said("usage", PaperDesk())).reply.text
    assert "| You | today | 0 | 0 | $0.00 |" in text
    assert "by model" not in text


# --- running them ---


def some_commands(desk: PaperDesk) -> Commands:
    return Commands(REGISTRY, desk, find_command)


async def test_run_hands_the_argument_over() -> None:
    outcome = await some_commands(PaperDesk()).run("model", a_message("/MODEL large-2"), a_person(), 12)
    assert outcome.effects == (PinModel(model="Large-2"),)


async def test_run_answers_a_claim() -> None:
    claim = ControlClaim(inbox_id=1, thread_id=34, command="status", event=a_message("!status"), requester=a_person())
    outcome = await some_commands(PaperDesk()).answer("status", claim)
    assert "Conversation 34," in outcome.reply.text


async def test_run_refuses_a_role_that_does_not_suffice() -> None:
    outcome = await some_commands(PaperDesk()).run("new", a_message("/new"), a_person(Role.GUEST), 12)
    assert outcome.effects == ()
    assert outcome.reply.text == "`/new` is for members and above. An administrator can change your role."


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (NotAllowed("only the requester may do this"), "only the requester may do this"),
        (DeckhandError("the disk is full"), "`/status` did not work: the disk is full. Nothing was changed."),
    ],
)
async def test_a_failure_is_a_sentence(error: Exception, text: str) -> None:
    outcome = await some_commands(PaperDesk(error=error)).run("status", a_message("/status"), a_person(), 12)
    assert (outcome.reply.text, outcome.effects) == (text, ())


async def test_a_busy_database_is_for_the_caller_to_tell() -> None:
    with pytest.raises(StorageBusy):
        await some_commands(PaperDesk(error=StorageBusy("busy"))).run("status", a_message("/status"), a_person(), 12)


async def test_a_bug_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        await some_commands(PaperDesk(error=ZeroDivisionError())).run("status", a_message("/status"), a_person(), 12)
