"""Whole runs: what is committed, what is said, and how they end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import orjson
import pytest
from structlog.testing import capture_logs

from agent import texts
from agent.items import AssistantItem, UserItem, dump
from agent.model import Answer, AssistantMessage, ProviderError, Request, SystemMessage, ToolMessage, UserMessage
from agent.tool import Tool, ToolContext, ToolResult, tool
from bot.adapter import Capabilities
from bot.errors import Fenced, SettingsError
from bot.settings import AgentSettings, Limits, Profile, Thinking
from bot.work import RunOutcome, StepRecord
from tests.agent.conftest import MakeKit
from tests.agent.kit import Voice, answer, call, event, script

DOWN = ProviderError("no credit", kind="http", status=401, code="insufficient_quota")


def counting(*, idempotent: bool, name: str = "deploy") -> tuple[Tool, list[str]]:
    """A tool that remembers with which key it was called."""
    keys: list[str] = []

    async def deploy(context: ToolContext, what: str = "") -> ToolResult:
        """Deploy it."""
        keys.append(context.idem_key)
        return ToolResult(text=f"deployed {what}")

    return replace(tool(deploy, idempotent=idempotent), name=name), keys


async def test_an_answer_is_committed_with_what_was_said(kit: MakeKit) -> None:
    bench = kit(script(answer("Hi Ann.")))
    finish = await bench.run(event("hello"))
    assert finish.outcome is RunOutcome.SUCCESS
    assert [item.kind for item in finish.items] == ["user", "assistant"]
    assert finish.items[0].message_key == "paper/bot/c1#m1"
    assert bench.shelf.said == "Hi Ann."
    assert bench.shelf.records == []
    assert [used.tokens_in for used in finish.usage] == [10]
    assert bench.live.shown == ["Hi ", "Hi Ann. "]


async def test_follow_ups_are_several_items_in_order(kit: MakeKit) -> None:
    bench = kit(script(answer("both")))
    await bench.run(event("one", id="1"), event("two", id="2"))
    assert [body["text"] for body in bench.shelf.of_kind("user")] == ["one", "two"]
    said = [message.text for message in bench.model.requests[0].messages if isinstance(message, UserMessage)]
    assert said == ["one", "two"]


async def test_the_next_run_knows_the_one_before(kit: MakeKit) -> None:
    bench = kit(script(answer("first"), answer("second")))
    await bench.run(event("a"), run_id=1)
    await bench.run(event("b"), run_id=2)
    assert [message.text for message in bench.model.requests[1].messages[1:]] == ["a", "first", "b"]


async def test_repeatable_tools_are_committed_once_with_their_results(kit: MakeKit) -> None:
    bench = kit(script(answer("Let me see.", call("calculate", '{"expression": "6*7"}')), answer("42")))
    await bench.run(event("what is 6*7?"))
    assert [[item.kind for item in record.items] for record in bench.shelf.records] == [["user", "assistant", "tool"]]
    assert bench.shelf.records[0].intents == ()
    assert bench.shelf.of_kind("tool")[0]["text"] == "42"
    assert bench.shelf.said == "42"
    assert [message.call_id for message in bench.model.requests[1].messages if isinstance(message, ToolMessage)] == [
        "c1"
    ]


async def test_effects_are_recorded_before_they_begin(kit: MakeKit) -> None:
    deploy, keys = counting(idempotent=False)
    bench = kit(script(answer("", call("deploy", '{"what": "web"}')), answer("done")), tools=[deploy])
    seen: list[int] = []
    bench.shelf.on_commit = lambda record: seen.append(len(keys))
    await bench.run(event("deploy"))
    first, second = bench.shelf.records
    assert seen == [0, 1]
    assert [item.kind for item in first.items] == ["user", "assistant"]
    assert [intent.idem_key for intent in first.intents] == keys == ["1:c1"]
    assert [item.kind for item in second.items] == ["tool"]
    assert second.ended == (first.intents[0].key,)
    assert bench.shelf.intents == {}


async def test_after_a_crash_an_effect_is_not_repeated(kit: MakeKit) -> None:
    deploy, keys = counting(idempotent=False)
    bench = kit(
        script(
            answer("", call("deploy", id="c1"), call("calculate", '{"expression": "1+1"}', id="c2")),
            answer("I do not know whether it was deployed."),
        ),
        tools=[deploy],
    )

    def crash(record: StepRecord) -> None:
        if record.ended:
            raise Fenced("the thread")

    bench.shelf.on_commit = crash
    with pytest.raises(Fenced):
        await bench.run(event("deploy"))
    bench.shelf.on_commit = lambda record: None
    await bench.run(event("deploy"), attempt=2)
    assert len(keys) == 1
    assert [body["text"] for body in bench.shelf.of_kind("tool")] == [texts.UNKNOWN_OUTCOME, "2"]
    assert [body["text"] for body in bench.shelf.of_kind("user")] == ["deploy"]
    assert bench.shelf.intents == {}
    assert len(bench.model.requests) == 2
    assert bench.shelf.said == "I do not know whether it was deployed."


async def test_an_effect_whose_tool_is_gone_after_a_crash_is_unknown(kit: MakeKit) -> None:
    deploy, _ = counting(idempotent=False)
    bench = kit(script(answer("", call("deploy")), answer("well")), tools=[deploy])

    def crash(record: StepRecord) -> None:
        if record.ended:
            raise Fenced("the thread")

    bench.shelf.on_commit = crash
    with pytest.raises(Fenced):
        await bench.run(event("deploy"))
    bench.shelf.on_commit = lambda record: None
    bench.tools = ()
    await bench.run(event("deploy"), attempt=2)
    assert [body["text"] for body in bench.shelf.of_kind("tool")] == [texts.UNKNOWN_OUTCOME]


async def test_a_further_try_goes_on_after_the_last_step(kit: MakeKit) -> None:
    gone = [True]

    def crash(record: StepRecord) -> None:
        if gone and len(bench.shelf.records) == 1:
            gone.clear()
            raise Fenced("the thread")

    two = call("calculate", '{"expression": "2"}', id="c2")
    bench = kit(
        script(answer("", call("calculate", '{"expression": "1"}')), answer("", two), answer("", two), answer("ok"))
    )
    bench.shelf.on_commit = crash
    with pytest.raises(Fenced):
        await bench.run(event("go"))
    await bench.run(event("go"), attempt=2)
    assert [body["text"] for body in bench.shelf.of_kind("tool")] == ["1", "2"]
    assert [body["text"] for body in bench.shelf.of_kind("user")] == ["go"]
    assert bench.shelf.said == "ok"


async def test_a_stop_while_the_model_speaks_keeps_what_was_shown(kit: MakeKit) -> None:
    ended = asyncio.Event()

    async def speak(request: Request, on_text: Callable[[str], None]) -> Answer:
        on_text("The first ")
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    bench = kit(Voice(speak))
    bench.live.on_show = lambda text: bench.live.cancel()
    finish = await bench.run(event("tell me"))
    assert ended.is_set()
    assert finish.outcome is RunOutcome.CANCELLED
    assert bench.shelf.said == f"The first\n\n{texts.STOPPED}"
    assert [item.kind for item in finish.items] == ["user", "assistant"]


async def test_a_stop_between_steps_keeps_the_steps(kit: MakeKit) -> None:
    bench = kit(script(answer("", call("calculate", '{"expression": "1"}'))))
    bench.shelf.on_commit = lambda record: bench.live.cancel()
    finish = await bench.run(event("go"))
    assert finish.outcome is RunOutcome.CANCELLED
    assert [item.kind for item in bench.shelf.items] == ["user", "assistant", "tool", "assistant"]
    assert bench.shelf.said == texts.STOPPED
    assert len(bench.model.requests) == 1


async def test_a_stop_while_tools_work_ends_them(kit: MakeKit) -> None:
    async def wait(context: ToolContext) -> ToolResult:
        """Wait."""
        bench.live.cancel()
        await asyncio.Event().wait()
        raise AssertionError

    bench = kit(
        script(answer("", call("wait", id="c1"), call("rest", id="c2"))),
        tools=[tool(wait, idempotent=False), replace(tool(wait, idempotent=True), name="rest")],
    )
    finish = await bench.run(event("go"))
    assert finish.outcome is RunOutcome.CANCELLED
    first, second = (body["text"] for body in bench.shelf.of_kind("tool"))
    assert texts.UNKNOWN_OUTCOME in first
    assert second == texts.CALL_STOPPED
    assert bench.shelf.intents == {}


async def test_a_run_that_was_stopped_before_it_began_builds_nothing(kit: MakeKit) -> None:
    bench = kit(script())
    finish = await bench.run(event("go"), cancelled=True)
    assert finish.outcome is RunOutcome.CANCELLED
    assert bench.model.requests == []
    assert bench.shelf.said == texts.STOPPED
    assert [item.kind for item in finish.items] == ["user", "assistant"]
    assert bench.shelf.decided("E13") == ["cancelled"]
    assert bench.shelf.decided("A1") == []


async def test_a_final_provider_error_is_said_and_never_fed_back(kit: MakeKit) -> None:
    bench = kit(script(DOWN, answer("fine again")))
    finish = await bench.run(event("a"), run_id=1)
    assert finish.outcome is RunOutcome.ERROR
    assert "no credit" in bench.shelf.said
    assert finish.items[-1].body["error_fallback"] is True
    assert "insufficient_quota" in finish.error
    finish = await bench.run(event("b"), run_id=2)
    assert finish.outcome is RunOutcome.SUCCESS
    assert [message.text for message in bench.model.requests[-1].messages[1:]] == ["a", "b"]


async def test_what_an_empty_answer_took_is_counted_though_the_second_one_fails(kit: MakeKit) -> None:
    bench = kit(script(answer(""), DOWN))
    finish = await bench.run(event("a"))
    assert finish.outcome is RunOutcome.ERROR
    assert [used.tokens_in for used in finish.usage] == [10]


async def test_e13_a_failure_of_an_earlier_run_does_not_count(kit: MakeKit) -> None:
    bench = kit(script(DOWN, answer("fine")))
    await bench.run(event("a"), run_id=1)
    await bench.run(event("b"), run_id=2)
    assert bench.shelf.decided("E13") == ["error", "success"]


async def test_f1_a_run_that_needs_too_many_steps_says_so(kit: MakeKit) -> None:
    steps = [answer(f"step {n}", call("calculate", '{"expression": "1"}', id=f"c{n}")) for n in range(3)]
    bench = kit(script(*steps), limits=Limits(steps=3))
    finish = await bench.run(event("go"))
    assert finish.outcome is RunOutcome.ERROR
    assert finish.stop_reason == "turn_capped"
    assert bench.shelf.said == f"step 2\n\n{texts.step_limit(3)}"
    assert len(bench.shelf.of_kind("tool")) == 2
    assert bench.shelf.decided("F1") == ["at most 3", "ended"]


async def test_f1_steps_of_an_earlier_try_count(kit: MakeKit) -> None:
    one = answer("", call("calculate", '{"expression": "1"}'))
    bench = kit(script(one, one, one), limits=Limits(steps=2))

    def crash(record: StepRecord) -> None:
        bench.shelf.on_commit = crash_at_once

    def crash_at_once(record: StepRecord) -> None:
        raise Fenced("the thread")

    bench.shelf.on_commit = crash
    bench.limits = Limits(steps=3)
    with pytest.raises(Fenced):
        await bench.run(event("go"))
    bench.shelf.on_commit = lambda record: None
    bench.limits = Limits(steps=2)
    finish = await bench.run(event("go"), attempt=2)
    assert finish.stop_reason == "turn_capped"


async def test_the_day_s_money_is_asked_for_only_where_it_is_limited(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")))
    await bench.run(event())
    assert bench.purse.asked == []


async def test_over_the_day_s_money_no_model_is_asked(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")), limits=Limits(usd_per_day=5.0))
    bench.purse.usd = 5.0
    finish = await bench.run(event())
    assert bench.model.requests == []
    assert finish.outcome is RunOutcome.ERROR
    assert "$5.00" in bench.shelf.said
    assert bench.purse.asked[0].hour == 0
    bench.purse.usd = 4.99
    finish = await bench.run(event("again", id="2"), run_id=2)
    assert finish.outcome is RunOutcome.SUCCESS


async def test_a_model_that_is_not_set_up_is_an_apology(kit: MakeKit) -> None:
    class Broken:
        def get(self, name: str) -> Voice:
            raise SettingsError("key X is not set")

    bench = kit(script())
    agent = bench.agent()
    agent._shop = replace(agent._shop, stock=replace(agent._shop.stock, models=Broken()))
    await agent.run(bench.shelf.claim(event()), bench.live)
    assert bench.shelf.said == texts.NOT_CONFIGURED
    assert bench.shelf.finishes[-1].error == "key X is not set"
    assert bench.shelf.finishes[-1].outcome is RunOutcome.ERROR


async def test_a2_a_model_that_must_think_says_so_and_is_not_asked(kit: MakeKit) -> None:
    thinking = Thinking(support="required", on_disable_request="reject")
    bench = kit(
        script(),
        profile=Profile(name="voice", provider="scripted", model="m", thinking=thinking),
        agent_settings=AgentSettings(name="default", thinking=False),
    )
    finish = await bench.run(event())
    assert "always thinks" in bench.shelf.said
    assert finish.outcome is RunOutcome.ERROR
    assert bench.model.requests == []


async def test_a2_a_model_that_must_think_thinks_and_the_change_is_in_the_journal(kit: MakeKit) -> None:
    bench = kit(
        script(answer("ok")),
        profile=Profile(name="voice", provider="scripted", model="m", thinking=Thinking(support="required")),
        agent_settings=AgentSettings(name="default", thinking=False),
    )
    await bench.run(event())
    assert bench.model.requests[0].thinking
    (decision,) = [one for one in bench.shelf.decisions if one.seat == "A2"]
    assert "thinking_forced_on" in decision.because


async def test_a1_a_pinned_model_that_is_set_up_no_more_is_replaced_with_a_warning(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")))
    with capture_logs() as logs:
        await bench.agent().run(bench.shelf.claim(event(), model_pin="zzz"), bench.live)
    assert bench.shelf.said == "ok"
    assert bench.shelf.decided("A1") == ["voice"]
    assert [(entry["log_level"], entry["name"]) for entry in logs if entry["event"] == "model_unknown"] == [
        ("warning", "zzz")
    ]


async def test_c1_what_an_interrupted_run_left_is_repaired_in_the_request_only(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")))
    left = dump(AssistantItem(text="", calls=(call("deploy", id="c1"),)))
    bench.shelf.items = [replace(dump(UserItem(text="deploy")), run_id=8), replace(left, run_id=8)]
    before = list(bench.shelf.items)
    await bench.run(event("well?"), run_id=9)
    kinds = [type(message).__name__ for message in bench.model.requests[0].messages[1:]]
    assert kinds == ["UserMessage", "AssistantMessage", "ToolMessage", "UserMessage"]
    result = bench.model.requests[0].messages[3]
    assert isinstance(result, ToolMessage)
    assert (result.call_id, result.text) == ("c1", texts.INTERRUPTED)
    assert bench.shelf.items[:2] == before
    assert [item.kind for item in bench.shelf.items] == ["user", "assistant", "user", "assistant"]


async def test_the_agent_s_settings_reach_the_model(kit: MakeKit) -> None:
    settings = AgentSettings(
        name="default", instructions="Speak like a pirate.", temperature=0.3, max_tokens=77, tools=("calculate",)
    )
    bench = kit(script(answer("Arr.")), agent_settings=settings)
    await bench.run(event())
    request = bench.model.requests[0]
    assert isinstance(request.messages[0], SystemMessage)
    assert "pirate" in request.messages[0].text
    assert "Wednesday, 2026-03-04" in request.messages[0].text
    assert (request.temperature, request.max_tokens) == (0.3, 77)
    assert [spec.name for spec in request.tools] == ["calculate"]


async def test_a_model_without_tools_is_told_of_none(kit: MakeKit) -> None:
    bench = kit(script(answer("ok")), profile=Profile(name="voice", provider="s", model="m", tools=False))
    await bench.run(event())
    assert bench.model.requests[0].tools == ()


async def test_a_blank_answer_is_asked_again_and_then_told(kit: MakeKit) -> None:
    bench = kit(script(answer(""), answer("")))
    finish = await bench.run(event())
    assert len(bench.model.requests) == 2
    assert bench.shelf.said == texts.NO_ANSWER
    assert finish.outcome is RunOutcome.SUCCESS
    assert bench.shelf.decided("C3") == ["left"]


async def test_b53_after_an_empty_answer_the_chat_goes_on(kit: MakeKit) -> None:
    thinks = answer("", call("calculate", '{"expression": "1"}'))
    bench = kit(script(thinks, answer("one"), answer(""), answer(""), answer("hello again")))
    await bench.run(event("a", id="1"), run_id=1)
    await bench.run(event("b", id="2"), run_id=2)
    await bench.run(event("c", id="3"), event("d", id="4"), run_id=3)
    sent = bench.model.requests[-1].messages
    assert [message.text for message in sent if isinstance(message, UserMessage)] == ["a", "b", "c", "d"]
    assert all(message.text or message.calls for message in sent if isinstance(message, AssistantMessage))
    assert bench.shelf.said == "hello again"


async def test_c3_an_empty_answer_after_a_tool_is_an_error_in_words(kit: MakeKit) -> None:
    bench = kit(script(answer("", call("calculate", '{"expression": "1"}')), answer(""), answer("")))
    finish = await bench.run(event())
    assert bench.shelf.said == texts.NO_ANSWER_AFTER_TOOLS
    assert finish.outcome is RunOutcome.ERROR
    assert bench.shelf.decided("C3") == ["apology"]


async def test_c3_an_empty_answer_is_forgiven_once(kit: MakeKit) -> None:
    bench = kit(script(answer("", call("calculate", '{"expression": "1"}')), answer(""), answer("one")))
    finish = await bench.run(event())
    assert bench.shelf.said == "one"
    assert finish.outcome is RunOutcome.SUCCESS


async def test_c4_a_cut_answer_runs_no_tool(kit: MakeKit) -> None:
    deploy, keys = counting(idempotent=False)
    bench = kit(script(answer("", call("deploy", '{"wh'), finish="length")), tools=[deploy])
    finish = await bench.run(event())
    assert keys == []
    assert bench.shelf.said == texts.CALLS_CUT
    assert finish.stop_reason == "model_length_capped"
    assert finish.outcome is RunOutcome.SUCCESS


async def test_c5_a_filtered_answer_runs_no_tool_and_records_no_arguments(kit: MakeKit) -> None:
    deploy, keys = counting(idempotent=False)
    bench = kit(script(answer("", call("deploy", '{"what": "secret"}'), finish="content_filter")), tools=[deploy])
    finish = await bench.run(event())
    assert keys == []
    assert bench.shelf.said == texts.FILTERED
    assert finish.stop_reason == "safety_capped"
    because = [decision.because for decision in bench.shelf.decisions if decision.seat == "C5"]
    assert because == ["content_filter: deploy (c1)"]


async def test_b25_broken_arguments_never_run_and_the_turn_goes_on(kit: MakeKit) -> None:
    ran: list[str] = []

    def remembering(name: str) -> Tool:
        async def work(context: ToolContext, path: str = "", text: str = "") -> ToolResult:
            """Work."""
            ran.append(name)
            return ToolResult(text=f"{name} {path}")

        return replace(tool(work, idempotent=name != "write_file"), name=name)

    calls = (
        call("write_file", '{"path":"a.txt","text":"hi', id="c1"),
        call("read_file", '{"path":"b.txt"}', id="c2"),
        call("list", "[1,2]", id="c3"),
        call("now", "", id="c4"),
    )
    bench = kit(
        script(answer("", *calls), answer("done")),
        tools=[remembering(name) for name in ("write_file", "read_file", "list", "now")],
    )
    await bench.run(event())
    assert sorted(ran) == ["now", "read_file"]
    results = [message for message in bench.model.requests[1].messages if isinstance(message, ToolMessage)]
    assert [result.call_id for result in results] == ["c1", "c2", "c3", "c4"]
    assert [body.get("error", False) for body in bench.shelf.of_kind("tool")] == [True, False, True, False]
    assert bench.shelf.said == "done"
    sent = [message for message in bench.model.requests[1].messages if isinstance(message, AssistantMessage)]
    assert [one.arguments for one in sent[0].calls] == ["{}", '{"path":"b.txt"}', "{}", "{}"]


async def test_b52_calls_get_ids_of_their_own(kit: MakeKit) -> None:
    async def weather(context: ToolContext, city: str) -> ToolResult:
        """Tell the weather."""
        return ToolResult(text=f"sun in {city}")

    def pair(call_id: str) -> Answer:
        cities = ("Oslo", "Rome")
        return answer("", *(call("weather", f'{{"city": "{city}"}}', id=call_id) for city in cities))

    bench = kit(script(pair(""), pair("call-weather"), answer("sunny")), tools=[tool(weather, idempotent=True)])
    await bench.run(event())
    ids = [one["id"] for body in bench.shelf.of_kind("assistant") for one in body.get("calls", ())]
    assert len(ids) == len(set(ids)) == 4
    assert all(ids)
    assert [body["call_id"] for body in bench.shelf.of_kind("tool")] == ids
    assert [body["text"] for body in bench.shelf.of_kind("tool")] == ["sun in Oslo", "sun in Rome"] * 2


async def test_e1_a_tool_that_breaks_is_a_result(kit: MakeKit) -> None:
    async def explode(context: ToolContext) -> ToolResult:
        """Explode."""
        raise ValueError("x" * 600)

    bench = kit(script(answer("", call("explode")), answer("it broke")), tools=[tool(explode, idempotent=True)])
    finish = await bench.run(event())
    text = bench.shelf.of_kind("tool")[0]["text"]
    assert "explode failed (ValueError)" in text
    assert "x" * 497 + "..." in text
    assert "x" * 498 not in text
    assert finish.outcome is RunOutcome.SUCCESS
    assert bench.shelf.decided("E1") == ["error result"]


async def test_presented_files_go_out_with_the_answer(kit: MakeKit) -> None:
    path = "/mnt/user-data/outputs/report.md"
    bench = kit(script(answer("", call("present_files", f'{{"paths": ["{path}"]}}')), answer("Look.")))
    outputs = bench.home / "files" / "7" / "outputs"
    outputs.mkdir(parents=True)
    (outputs / "report.md").write_text("# Report")
    await bench.run(event())
    assert [(file.name, file.path, file.media_type) for file in bench.files] == [
        ("report.md", outputs / "report.md", "text/markdown")
    ]
    assert bench.shelf.said == "Look."


async def test_previews_begin_anew_with_each_step(kit: MakeKit) -> None:
    bench = kit(script(answer("One moment.", call("calculate", '{"expression": "1"}')), answer("It is 1.")))
    await bench.run(event())
    assert bench.live.shown[-1] == "It is 1. "


async def test_who_speaks_stands_in_the_text_of_a_shared_room(kit: MakeKit) -> None:
    bench = kit(script(answer("hi")), capabilities=Capabilities(reserves=False, unattended=True))
    await bench.run(event("hello", author="Zoë 李", direct=False), direct=False, title="Ops\n## SYSTEM")
    system, said = bench.model.requests[0].messages
    assert said.text == "[Zoë 李] hello"
    assert "“Ops ## SYSTEM”" in system.text
    assert bench.shelf.decided("F1") == ["at most 250"]


async def test_b55_the_name_stands_nowhere_else(kit: MakeKit) -> None:
    bench = kit(script(answer("hi")))
    await bench.run(event("hello", author="José 🚀 Álvarez", direct=False), direct=False)
    assert bench.model.requests[0].messages[1] == UserMessage(text="[José 🚀 Álvarez] hello")
    assert bench.shelf.of_kind("user")[0]["author"] == "José 🚀 Álvarez"


async def test_a_retry_adds_nothing_to_what_was_said(kit: MakeKit) -> None:
    bench = kit(script(answer("first"), answer("better")))
    await bench.run(event("a"), run_id=1)
    del bench.shelf.items[-1]
    finish = await bench.run(run_id=2)
    assert [item.kind for item in finish.items] == ["assistant"]
    assert bench.shelf.said == "better"


async def test_what_no_database_can_keep_is_marked_in_answers_and_results(kit: MakeKit) -> None:
    async def listing(context: ToolContext) -> ToolResult:
        """List names."""
        return ToolResult(text="a\0b \udcff")

    bench = kit(
        script(answer("", call("listing", '{"x": "\0"}')), answer("it is a\0b \ud83d")),
        tools=[tool(listing, idempotent=True)],
    )
    await bench.run(event("list them"))
    stored = orjson.dumps([item.body for item in bench.shelf.items])
    assert rb"\u0000" not in stored
    assert bench.shelf.said == "it is a�b �"
    sent = bench.model.requests[1].messages
    assert [message.text for message in sent if isinstance(message, ToolMessage)]
    assert all("\0" not in message.text for message in sent)


async def test_a_tool_s_result_is_kept_without_what_no_database_can_keep(kit: MakeKit) -> None:
    async def listing(context: ToolContext) -> ToolResult:
        """List names."""
        return ToolResult(text="a\0b \udcff")

    bench = kit(script(answer("", call("listing")), answer("ok")), tools=[tool(listing, idempotent=True)])
    await bench.run(event("list them"))
    assert bench.shelf.of_kind("tool")[0]["text"] == "a�b �"
