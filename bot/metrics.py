"""Metrics: what `/metrics` shows, in a registry of our own."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from bot.work import Usage

CONTENT_TYPE = CONTENT_TYPE_LATEST

_LAG = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600)
_RUN = (0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600)
_COMMIT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
_BATCH = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """The numbers of one process: a `bot.watch.Watch`."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        self._received = Counter("deckhand_received", "Events by fate", ["platform", "fate"], registry=registry)
        self._malformed = Counter("deckhand_malformed", "Payloads nobody could read", ["platform"], registry=registry)
        self._queued = Gauge("deckhand_queued", "Runs that wait", registry=registry)
        self._running = Gauge("deckhand_running", "Runs that go on in this process", registry=registry)
        self._run_seconds = Histogram("deckhand_run_seconds", "How long runs took", registry=registry, buckets=_RUN)
        self._delivered = Counter("deckhand_delivered", "Messages that stand", ["platform"], registry=registry)
        self._lag = Histogram(
            "deckhand_delivery_lag_seconds",
            "From the outbox to the platform",
            ["platform"],
            registry=registry,
            buckets=_LAG,
        )
        self._failed = Counter("deckhand_failed", "Failures by class", ["platform", "kind"], registry=registry)
        self._tokens = Counter("deckhand_tokens", "Model tokens", ["model", "direction"], registry=registry)
        self._cost = Counter("deckhand_cost_usd", "Cost of model calls, US dollars", ["model"], registry=registry)
        self._commit_seconds = Histogram(
            "deckhand_commit_seconds", "How long commits took", registry=registry, buckets=_COMMIT
        )
        self._batch = Histogram("deckhand_commit_writes", "Writes in one commit", registry=registry, buckets=_BATCH)

    def received(self, platform: str, fate: str) -> None:
        """Count an event."""
        self._received.labels(platform, fate).inc()

    def malformed(self, platform: str) -> None:
        """Count a payload that could not be read."""
        self._malformed.labels(platform).inc()

    def watch(self, *, queued: Callable[[], float] | None = None, running: Callable[[], float] | None = None) -> None:
        """Ask for these numbers whenever somebody looks."""
        if queued is not None:
            self._queued.set_function(queued)
        if running is not None:
            self._running.set_function(running)

    def ran(self, seconds: float) -> None:
        """Note a run that ended."""
        self._run_seconds.observe(seconds)

    def delivered(self, platform: str, seconds: float) -> None:
        """Note a message that stands at the platform."""
        self._delivered.labels(platform).inc()
        self._lag.labels(platform).observe(seconds)

    def failed(self, platform: str, kind: str) -> None:
        """Count a failure by its class."""
        self._failed.labels(platform, kind).inc()

    def used(self, usage: Usage) -> None:
        """Count what one model call took."""
        self._tokens.labels(usage.model, "in").inc(usage.tokens_in)
        self._tokens.labels(usage.model, "out").inc(usage.tokens_out)
        if usage.tokens_cached:
            self._tokens.labels(usage.model, "cached").inc(usage.tokens_cached)
        self._cost.labels(usage.model).inc(usage.cost_usd)

    def committed(self, seconds: float, writes: int) -> None:
        """Note a commit, and how many writes it carried."""
        self._commit_seconds.observe(seconds)
        self._batch.observe(writes)

    def exposition(self) -> bytes:
        """Return all numbers in the text format of Prometheus."""
        return generate_latest(self._registry)
