"""The numbers."""

from __future__ import annotations

from bot.metrics import Metrics
from bot.watch import Watch
from bot.work import Fate, Usage


def numbers(metrics: Metrics) -> dict[str, float]:
    lines = metrics.exposition().decode().splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}


def test_everything_is_counted_under_its_name() -> None:
    metrics = Metrics()
    metrics.received("paper", Fate.QUEUED.value)
    metrics.received("paper", Fate.QUEUED.value)
    metrics.malformed("paper")
    metrics.ran(0.3)
    metrics.delivered("paper", 0.2)
    metrics.failed("paper", "RateLimited")
    metrics.used(Usage(model="small", tokens_in=10, tokens_out=2, tokens_cached=4, cost_usd=0.5))
    metrics.committed(0.004, 3)
    metrics.watch(queued=lambda: 5, running=lambda: 2)
    found = numbers(metrics)
    assert found['deckhand_received_total{fate="queued",platform="paper"}'] == 2
    assert found['deckhand_malformed_total{platform="paper"}'] == 1
    assert found['deckhand_run_seconds_bucket{le="0.5"}'] == 1
    assert found['deckhand_run_seconds_bucket{le="0.1"}'] == 0
    assert found['deckhand_delivered_total{platform="paper"}'] == 1
    assert found['deckhand_delivery_lag_seconds_sum{platform="paper"}'] == 0.2
    assert found['deckhand_failed_total{kind="RateLimited",platform="paper"}'] == 1
    assert found['deckhand_tokens_total{direction="in",model="small"}'] == 10
    assert found['deckhand_tokens_total{direction="out",model="small"}'] == 2
    assert found['deckhand_tokens_total{direction="cached",model="small"}'] == 4
    assert found['deckhand_cost_usd_total{model="small"}'] == 0.5
    assert found["deckhand_commit_seconds_count"] == 1
    assert found["deckhand_commit_writes_sum"] == 3
    assert found["deckhand_queued"] == 5
    assert found["deckhand_running"] == 2


def test_the_process_is_measured_too() -> None:
    assert numbers(Metrics())["process_resident_memory_bytes"] > 0


def test_two_processes_in_one_test_do_not_share_numbers() -> None:
    first, second = Metrics(), Metrics()
    first.ran(1)
    assert numbers(second)["deckhand_run_seconds_count"] == 0


def test_metrics_are_a_watch() -> None:
    watch: Watch = Metrics()
    watch.received("paper", "queued")
