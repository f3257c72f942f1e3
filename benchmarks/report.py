"""Report: measure, ours, bare, ratio, target, met or missed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Figures = Mapping[str, float]
Judgement = tuple[str, bool]
"""The target in words, and whether it is met."""

BARE_START_SECONDS = 0.5
"""How long a bare bot takes to its first answer on the machine that the targets of starting are for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """All that was measured."""

    ours: Figures
    bare: Figures
    commit_ms: float

    @property
    def slowness(self) -> float:
        """Return how much slower than the targets' machine this one starts a bare bot; at least 1."""
        return max(1.0, self.bare.get("start_answer_s", 0.0) / BARE_START_SECONDS)

    def ratio(self, name: str) -> float:
        return self.ours[name] / self.bare[name]


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """One line of the table."""

    title: str
    name: str
    judge: Callable[[Facts], Judgement] | None = None


def _single_p50(facts: Facts) -> Judgement:
    return "≤ 3× bare", facts.ratio("single_p50_ms") <= 3


def _single_p95(facts: Facts) -> Judgement:
    allowed = 25 + 2 * facts.commit_ms
    return f"≤ {allowed:.1f} (25 + 2 commits)", facts.ours["single_p95_ms"] <= allowed


def _per_second(facts: Facts) -> Judgement:
    return "≥ 0.25× bare", facts.ratio("load32_per_s") >= 0.25


def _start(seconds: float, name: str) -> Callable[[Facts], Judgement]:
    def judge(facts: Facts) -> Judgement:
        allowed = seconds * facts.slowness
        return f"≤ {allowed:.1f} ({seconds:g} where bare needs {BARE_START_SECONDS:g})", facts.ours[name] <= allowed

    return judge


def _rss(facts: Facts) -> Judgement:
    return "≤ 125 and ≤ 2.2× bare", facts.ours["rss_mb"] <= 125 and facts.ratio("rss_mb") <= 2.2


def _at_most(most: float, name: str) -> Callable[[Facts], Judgement]:
    return lambda facts: (f"≤ {most:g}", facts.ours[name] <= most)


def _none(name: str) -> Callable[[Facts], Judgement]:
    return lambda facts: ("0", facts.ours[name] == 0)


MEASURES = (
    Measure(title="added latency p50, ms", name="single_p50_ms", judge=_single_p50),
    Measure(title="added latency p95, ms", name="single_p95_ms", judge=_single_p95),
    Measure(title="cores waited for, one at a time", name="single_waited"),
    Measure(title="messages/s, 32 rooms", name="load32_per_s", judge=_per_second),
    Measure(title="p50 under load, 32 rooms, ms", name="load32_p50_ms"),
    Measure(
        title="CPU-s per 1,000 messages, 32 rooms",
        name="load32_cpu_s_per_1k",
        judge=_at_most(11, "load32_cpu_s_per_1k"),
    ),
    Measure(title="cores waited for, 32 rooms", name="load32_waited"),
    Measure(title="messages/s, 50 rooms", name="load50_per_s"),
    Measure(title="p50 under load, 50 rooms, ms", name="load50_p50_ms"),
    Measure(title="p95 under load, 50 rooms, ms", name="load50_p95_ms"),
    Measure(title="CPU-s per 1,000 messages, 50 rooms", name="load50_cpu_s_per_1k"),
    Measure(title="lost under load, 50 rooms", name="load50_lost", judge=_none("load50_lost")),
    Measure(title="shown twice under load, 50 rooms", name="load50_shown_twice", judge=_none("load50_shown_twice")),
    Measure(title="start to first poll, s", name="start_poll_s", judge=_start(2.5, "start_poll_s")),
    Measure(title="start to first answer, s", name="start_answer_s", judge=_start(4, "start_answer_s")),
    Measure(title="very first start to first poll, s", name="first_start_poll_s"),
    Measure(title="very first start to first answer, s", name="first_start_answer_s"),
    Measure(title="RSS idle, MB", name="rss_mb", judge=_rss),
    Measure(title="PSS idle, MB", name="pss_mb"),
    Measure(title="CPU idle, %", name="idle_cpu_percent"),
    Measure(title="soak: messages", name="soak_messages"),
    Measure(title="soak: lost", name="soak_lost", judge=_none("soak_lost")),
    Measure(title="soak: RSS growth, MB", name="soak_growth_mb", judge=_at_most(30, "soak_growth_mb")),
    Measure(title="p50 in a thread of 10 items, ms", name="depth10_p50_ms"),
    Measure(title="p50 in a thread of 1,000 items, ms", name="depth1000_p50_ms"),
    Measure(title="p50 in a thread of 100,000 items, ms", name="depth100000_p50_ms"),
    Measure(title="100,000 items against 1,000", name="depth_ratio", judge=_at_most(1.1, "depth_ratio")),
    Measure(title="back to back: lost", name="order_lost", judge=_none("order_lost")),
    Measure(
        title="back to back: rooms out of order", name="order_rooms_disturbed", judge=_none("order_rooms_disturbed")
    ),
    Measure(title="back to back: replies to 50", name="order_replies"),
)


def table(facts: Facts) -> str:
    """Return the table in Markdown; measures that were not taken are left out."""
    lines = [
        f"One commit of this disk takes {facts.commit_ms:.2f} ms (fdatasync of a 4 KiB append, median).",
        "",
        "| measure | deckhand | bare | ratio | target | |",
        "|---|---:|---:|---:|---|---|",
    ]
    lines += [_line(measure, facts) for measure in MEASURES if measure.name in facts.ours]
    return "\n".join(lines)


def missed(facts: Facts) -> list[str]:
    """Return the titles of the measures whose target is missed."""
    return [
        measure.title
        for measure in MEASURES
        if measure.name in facts.ours and measure.judge is not None and not measure.judge(facts)[1]
    ]


def _line(measure: Measure, facts: Facts) -> str:
    ours, bare = facts.ours[measure.name], facts.bare.get(measure.name)
    against = "-" if bare is None else _number(bare)
    ratio = f"{ours / bare:.2f}×" if bare else "-"
    target, met = ("", None) if measure.judge is None else measure.judge(facts)
    verdict = {True: "met", False: "**missed**", None: ""}[met]
    return f"| {measure.title} | {_number(ours)} | {against} | {ratio} | {target} | {verdict} |"


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}" if value == value else "none"
