"""The table says truly what is met and what is missed."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.bench import percentile
from benchmarks.report import Facts, missed, table

OURS = {
    "single_p50_ms": 9.0,
    "single_p95_ms": 30.0,
    "load32_per_s": 100.0,
    "load32_cpu_s_per_1k": 11.0,
    "start_poll_s": 2.5,
    "start_answer_s": 4.0,
    "rss_mb": 110.0,
    "soak_growth_mb": 30.0,
    "depth_ratio": 1.1,
    "order_lost": 0,
}
BARE = {"single_p50_ms": 3.0, "load32_per_s": 400.0, "rss_mb": 50.0, "start_answer_s": 0.5, "start_poll_s": 0.5}


def facts(commit_ms: float = 2.5, bare: dict[str, float] | None = None, **ours: Any) -> Facts:
    return Facts(ours=OURS | ours, bare=BARE | (bare or {}), commit_ms=commit_ms)


def test_at_the_targets_nothing_is_missed() -> None:
    assert missed(facts()) == []


@pytest.mark.parametrize(
    ("name", "value", "title"),
    [
        ("single_p50_ms", 9.1, "added latency p50, ms"),
        ("load32_per_s", 99.0, "messages/s, 32 rooms"),
        ("load32_cpu_s_per_1k", 11.1, "CPU-s per 1,000 messages, 32 rooms"),
        ("start_poll_s", 2.6, "start to first poll, s"),
        ("start_answer_s", 4.1, "start to first answer, s"),
        ("rss_mb", 110.1, "RSS idle, MB"),
        ("soak_growth_mb", 30.1, "soak: RSS growth, MB"),
        ("depth_ratio", 1.11, "100,000 items against 1,000"),
        ("order_lost", 1, "back to back: lost"),
    ],
)
def test_behind_a_target_it_is_missed(name: str, value: float, title: str) -> None:
    changed: dict[str, Any] = {name: value}
    assert missed(facts(**changed)) == [title]


def test_more_memory_than_the_number_is_missed_however_large_the_bare_bot_is() -> None:
    assert missed(facts(rss_mb=126.0, bare={"rss_mb": 100.0})) == ["RSS idle, MB"]


def test_two_commits_of_the_disk_are_taken_off_the_95th_percentile() -> None:
    assert missed(facts(commit_ms=2.4)) == ["added latency p95, ms"]


def test_a_slow_machine_may_start_slowly() -> None:
    assert missed(facts(start_poll_s=5.0, start_answer_s=8.0, bare={"start_answer_s": 1.0})) == []


def test_a_fast_machine_gets_no_stricter_target() -> None:
    assert missed(facts(bare={"start_answer_s": 0.25})) == []


def test_the_table_shows_both_the_ratio_and_the_verdict() -> None:
    line = next(line for line in table(facts(single_p50_ms=12.0)).splitlines() if "added latency p50" in line)
    assert line == "| added latency p50, ms | 12 | 3 | 4.00× | ≤ 3× bare | **missed** |"


def test_percentiles_of_sorted_values() -> None:
    values = [float(value) for value in range(100)]
    assert (percentile(values, 0.5), percentile(values, 0.95), percentile(values, 1.0)) == (50.0, 95.0, 99.0)
