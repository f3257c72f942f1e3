from __future__ import annotations

from typing import Any

import pytest

from agent.model import ProviderError
from agent.provider_errors import Again, Circuit, GiveUp, Reason, classify, decide_retry

OPENAI_RATE = (
    "Rate limit reached for m on tokens per min. You can increase your rate limit by adding a payment method to your "
    "account at https://platform.openai.com/account/billing."
)


def an_error(words: str = "x", *, kind: str = "http", **facts: Any) -> ProviderError:
    return ProviderError(words, kind=kind, **facts)


def low(a: float, b: float) -> float:
    return a


def high(a: float, b: float) -> float:
    return b


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (an_error("You exceeded your current quota", status=429, code="insufficient_quota"), Reason.QUOTA),
        (an_error("Your credit balance is too low", status=400), Reason.QUOTA),
        (an_error("余额不足", status=429), Reason.QUOTA),
        (an_error(status=402), Reason.QUOTA),
        (an_error("quota; invalid api key", status=401), Reason.QUOTA),
        (an_error(OPENAI_RATE, status=429, code="rate_limit_exceeded"), Reason.TRANSIENT),
        (an_error("Incorrect API key provided", status=401, code="invalid_api_key"), Reason.AUTH),
        (an_error(status=403), Reason.AUTH),
        (an_error("permission denied", status=500), Reason.AUTH),
        (an_error("Request rate increased too quickly", status=429, code="limit_burst_rate"), Reason.BURST),
        *((an_error(status=status), Reason.TRANSIENT) for status in (408, 409, 425, 429, 500, 502, 503, 504)),
        *((an_error(kind=kind), Reason.TRANSIENT) for kind in ("connection", "timeout", "gap", "stream", "empty")),
        (an_error("billing.example cannot be reached", kind="connection"), Reason.TRANSIENT),
        (an_error("Overloaded", status=529), Reason.BUSY),
        (an_error("The server is busy", status=400), Reason.BUSY),
        (an_error("bad request", status=400), Reason.GENERIC),
        (an_error("prompt is too long", status=400, code="context_length_exceeded"), Reason.GENERIC),
    ],
)
def test_c2_what_a_failure_means(error: ProviderError, reason: Reason) -> None:
    assert classify(error) is reason


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (an_error(status=503), 3),
        (an_error(kind="stream"), 3),
        (an_error("Overloaded", status=529), 3),
        (an_error(kind="gap"), 2),
        (an_error(kind="empty"), 2),
        (an_error(status=429, code="limit_burst_rate"), 2),
        (an_error(status=400), 1),
        (an_error(code="insufficient_quota", status=429), 1),
        (an_error(status=401), 1),
    ],
)
def test_c2_how_often_it_is_tried(error: ProviderError, attempts: int) -> None:
    outcomes = [decide_retry(error, n, waited=0, uniform=low) for n in range(1, attempts + 1)]
    assert all(isinstance(outcome, Again) for outcome in outcomes[:-1])
    assert isinstance(outcomes[-1], GiveUp)


@pytest.mark.parametrize(
    ("facts", "waited", "between"),
    [
        ({"status": 503}, 0.0, (1.0, 3.0)),
        ({"status": 503}, 2.0, (1.0, 6.0)),
        ({"status": 503}, 7.0, (1.0, 8.0)),
        ({"status": 429, "code": "limit_burst_rate"}, 0.0, (5.0, 8.0)),
        ({"status": 429, "retry_after": 20.0}, 0.0, (20.0, 20.0)),
        ({"status": 429, "retry_after": 0.0}, 0.0, (0.0, 0.0)),
    ],
)
def test_c2_how_long_it_waits(facts: dict[str, Any], waited: float, between: tuple[float, float]) -> None:
    found = [decide_retry(an_error(**facts), 1, waited=waited, uniform=pick) for pick in (low, high)]
    assert tuple(again.seconds for again in found if isinstance(again, Again)) == between


def test_c2_a_long_wait_is_not_waited_for() -> None:
    assert isinstance(decide_retry(an_error(status=429, retry_after=61.0), 1, waited=0, uniform=low), GiveUp)


def test_c2_the_circuit_opens_after_five_and_lets_one_probe_through() -> None:
    circuit = Circuit()
    for n in range(5):
        assert circuit.admit(float(n))
        circuit.exhausted(float(n))
    assert not circuit.admit(63.9)
    assert circuit.admit(64.0)
    assert not circuit.admit(64.1), "one probe at a time"
    circuit.exhausted(70.0)
    assert not circuit.admit(129.9)
    assert circuit.admit(130.0)
    circuit.answered()
    assert circuit.admit(130.1)
    assert circuit.admit(130.1)


def test_c2_a_probe_that_was_stopped_leaves_room_for_the_next() -> None:
    circuit = Circuit()
    for _ in range(5):
        circuit.exhausted(0.0)
    assert circuit.admit(60.0)
    circuit.unknown()
    assert circuit.admit(60.0)


def test_c2_an_answer_in_between_counts_anew() -> None:
    circuit = Circuit()
    for _ in range(4):
        circuit.exhausted(0.0)
    circuit.answered()
    circuit.exhausted(0.0)
    assert circuit.admit(0.0)
