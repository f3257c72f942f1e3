"""What whoever watches over the bot gets to see."""

from __future__ import annotations

import orjson
from prometheus_client.parser import text_string_to_metric_families

from bot.settings import Access
from tests.acceptance.conftest import Build
from tests.acceptance.page import talk
from tests.support.house import House
from tests.support.telegram_schema import judge, skip_without_paper


async def numbers(house: House) -> dict[str, float]:
    """Return the metrics by name and labels."""
    status, text = await house.get("/metrics")
    assert status == 200
    return {
        sample.name + "".join(f" {label}={value}" for label, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_healthy_bot_says_so(house: House) -> None:
    assert await house.get("/healthz") == (200, '{"ok":true}')
    status, body = await house.get("/readyz")
    assert status == 200
    findings = {one["name"]: one["ok"] for one in orjson.loads(body)["findings"]}
    assert findings == {"database": True, "engine": True, "telegram": True, "web": True}


async def test_numbers_are_right_after_a_few_messages(house: House) -> None:
    ann = house.private()
    await ann.asks("one two three", "answer to one two three")
    await ann.asks("four", "answer to four")
    async with talk(house) as page:
        await page.asks("five", "answer to five")
    ann.say("slow #delay 600")
    await ann.shows(3)
    found = await numbers(house)
    assert found["deckhand_running"] == 1
    await ann.asks("/stop", "I stop")
    await ann.sees("(stopped)")
    await house.quiet()
    found = await numbers(house)
    assert found["deckhand_received_total fate=queued platform=telegram"] == 4
    assert found["deckhand_received_total fate=queued platform=web"] == 1
    assert found["deckhand_delivered_total platform=telegram"] == 4
    assert found["deckhand_delivered_total platform=web"] == 1
    assert found["deckhand_delivery_lag_seconds_count platform=telegram"] == 4
    assert found["deckhand_running"] == 0
    assert found["deckhand_queued"] == 0
    assert found["deckhand_run_seconds_count"] == 4
    stored = await house.rows("SELECT sum(tokens_in), sum(tokens_out), sum(cost_usd) FROM usage")
    tokens_in, tokens_out, cost = stored[0]
    assert found["deckhand_tokens_total direction=in model=scripted"] == tokens_in > 0
    assert found["deckhand_tokens_total direction=out model=scripted"] == tokens_out > 0
    assert abs(found["deckhand_cost_usd_total model=scripted"] - cost) < 1e-6
    assert cost > 0
    # The clock of stories runs ten times as fast: a hiccup of the machine may meet the platform's limit, no more.
    failed = [name for name, value in found.items() if name.startswith("deckhand_failed_total") and value]
    assert [name for name in failed if "RateLimited" not in name] == []


async def test_every_call_of_a_story_is_checked_against_the_published_description(house: House) -> None:
    skip_without_paper()
    ann = house.private()
    await ann.asks("hello", "answer to hello")
    called = {call.method for call in house.simulator.calls.all}
    assert called >= {"getMe", "getUpdates", "sendMessage", "editMessageText", "setMyCommands"}
    house.simulator.calls.of("sendMessage")[0].params["no_such_parameter"] = "1"
    assert judge(house.simulator) == ["sendMessage: no_such_parameter is not in the description"]
    del house.simulator.calls.of("sendMessage")[0].params["no_such_parameter"]


async def test_refusals_and_failures_are_counted(build: Build) -> None:
    house = await build(access=Access())
    ann = house.private()
    await ann.asks("hello", "I have no administrator yet")
    await ann.asks(f"/connect {house.codes[0]}", "You are my administrator now")
    house.simulator.faults.too_fast("editMessageText", retry_after=1)
    await ann.asks("hello", "answer to hello")
    await house.quiet()
    found = await numbers(house)
    assert found["deckhand_received_total fate=answered platform=telegram"] == 2
    assert found["deckhand_failed_total kind=RateLimited platform=telegram"] >= 1
