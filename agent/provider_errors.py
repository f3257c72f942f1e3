"""Provider error policy (seat C2): what a failed model call means, and whether it is tried again. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from agent.model import ProviderError
from bot.seat import Decider, Seat

SEATS = (
    Seat(
        id="C2",
        title="Provider error policy",
        who=Decider.CODE,
        rule=(
            "Quota and key trouble is final; bursts, silences and empty answers are tried twice, what passes by itself "
            "three times; five calls that failed to the end open the circuit for a minute"
        ),
        setting="limits.model_calls_at_once",
    ),
)

ATTEMPTS = 3
ATTEMPTS_CAREFUL = 2
"""For bursts, silence and empty answers: trying again makes the first worse, the second long, the third no better."""
BASE_SECONDS = 1.0
BURST_SECONDS = 5.0
CAP_SECONDS = 8.0
LONGEST_WAIT = 60.0
"""A provider that asks us to wait longer is not waited for: somebody waits for us."""
CIRCUIT_FAILURES = 5
CIRCUIT_SECONDS = 60.0

_PASSING_KINDS = frozenset({"connection", "timeout", "gap", "stream", "empty"})
_CAREFUL_KINDS = frozenset({"gap", "empty"})
_PASSING_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_QUOTA = re.compile(
    r"quota|billing|\bcredits?\b|payment|余额不足|额度不足|超出限额|欠费",
    re.IGNORECASE,
)
_AUTH = re.compile(
    r"authenticat|unauthorized|(invalid|incorrect)[ _]api[ _]key|permission|forbidden|access denied|无权|未授权",
    re.IGNORECASE,
)
_BURST = re.compile(r"limit_burst_rate|burst|rate increased too quickly", re.IGNORECASE)
_BUSY = re.compile(
    r"busy|overloaded|temporarily unavailable|try again|please retry|high demand|rate limit|负载较高|服务繁忙|稍后重试",
    re.IGNORECASE,
)


class Reason(StrEnum):
    """What a failure means."""

    QUOTA = "quota"
    AUTH = "auth"
    BURST = "burst"
    TRANSIENT = "transient"
    BUSY = "busy"
    GENERIC = "generic"

    @property
    def passes(self) -> bool:
        """It may be gone by the next attempt."""
        return self in (Reason.BURST, Reason.TRANSIENT, Reason.BUSY)


@dataclass(frozen=True, kw_only=True, slots=True)
class Again:
    """Try again."""

    seconds: float
    reason: Reason


@dataclass(frozen=True, kw_only=True, slots=True)
class GiveUp:
    """Tell whoever waits."""

    reason: Reason
    because: str


Uniform = Callable[[float, float], float]
"""A random number between two."""


def classify(error: ProviderError) -> Reason:
    """Say what a failure means; the first rule that fits wins."""
    words = f"{error.code} {error}" if error.kind in ("http", "stream") else ""
    if _is_quota(error, words):
        return Reason.QUOTA
    if error.status in (401, 403) or _AUTH.search(words):
        return Reason.AUTH
    if _BURST.search(words):
        return Reason.BURST
    if error.kind in _PASSING_KINDS or error.status in _PASSING_STATUS:
        return Reason.TRANSIENT
    return Reason.BUSY if _BUSY.search(words) else Reason.GENERIC


def decide_retry(error: ProviderError, attempt: int, *, waited: float, uniform: Uniform) -> Again | GiveUp:
    """Say what follows the failure of the attempt with this number; `waited` is the wait before it, 0 for the first."""
    reason = classify(error)
    if not reason.passes:
        return GiveUp(reason=reason, because=f"{reason}: {_fact(error)}")
    most = ATTEMPTS_CAREFUL if reason is Reason.BURST or error.kind in _CAREFUL_KINDS else ATTEMPTS
    if attempt >= most:
        return GiveUp(reason=reason, because=f"{reason}: {_fact(error)}, attempt {attempt} of {most}")
    if error.retry_after is not None:
        if error.retry_after > LONGEST_WAIT:
            return GiveUp(reason=reason, because=f"{reason}: asked to wait {error.retry_after:g} s")
        return Again(seconds=error.retry_after, reason=reason)
    base = BURST_SECONDS if reason is Reason.BURST else BASE_SECONDS
    # Decorrelated jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
    return Again(seconds=min(CAP_SECONDS, uniform(base, max(base, waited) * 3)), reason=reason)


def _is_quota(error: ProviderError, words: str) -> bool:
    if error.status == 402:
        return True
    # OpenAI's plain rate limit advises to add a payment method; its code says what it really is.
    return not error.code.startswith("rate_limit") and bool(_QUOTA.search(words))


def _fact(error: ProviderError) -> str:
    return " ".join(filter(None, (error.kind, str(error.status or ""), error.code)))


class Circuit:
    """Leaves a model alone that failed again and again, then lets one call try it."""

    def __init__(self) -> None:
        self._failures = 0
        self._open_until: float | None = None
        self._probing = False

    def admit(self, now: float) -> bool:
        """Say whether a call may be made now; after the pause, only one until its end is known."""
        if self._open_until is None:
            return True
        if now < self._open_until or self._probing:
            return False
        self._probing = True
        return True

    def answered(self) -> None:
        """The provider works: it answered, if only with a refusal."""
        self._failures = 0
        self._open_until = None
        self._probing = False

    def exhausted(self, now: float) -> None:
        """A call failed to its last attempt."""
        self._failures += 1
        if self._probing or self._failures >= CIRCUIT_FAILURES:
            self._open_until = now + CIRCUIT_SECONDS
        self._probing = False

    def unknown(self) -> None:
        """A call ended without telling anything, such as by `/stop`."""
        self._probing = False
