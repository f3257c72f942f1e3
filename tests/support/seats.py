"""A pytest plugin: whether every registered seat has a test, named after it, that makes it decide.

A test is named after a seat by `test_<id>_…`. Every test may decide whatever it likes; what counts for a seat is that
it decided while a test of its own ran, and that this test passed. Only a run of the whole suite can know that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

import pytest

from bot.console._catalogue import seats
from bot.seat import Decision, observe

_NAME = re.compile(r"test_([a-z][0-9]+)_")
_SLOW_ONES_LEFT_OUT = ("", "not slow")


def seat_of(test: str) -> str:
    """Return the seat that a test is named after, empty where there is none."""
    found = _NAME.match(test)
    return found.group(1).upper() if found else ""


def unmoved(registered: Iterable[str], decided: Collection[str]) -> list[str]:
    """Return the seats that no test of their own made decide."""
    return [seat for seat in registered if seat not in decided]


class SeatWatch:
    """Sees which seats decide in tests of their own."""

    def __init__(self) -> None:
        self.decided: set[str] = set()
        self._now: set[str] = set()
        self._complaint = ""
        self.stop: Callable[[], None] = lambda: None

    def pytest_sessionstart(self) -> None:
        self.stop = observe(self._note)

    def _note(self, decision: Decision) -> None:
        self._now.add(decision.seat)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self._now = set()
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        seat = seat_of(report.nodeid.rpartition("::")[2])
        if report.when == "call" and report.passed and seat in self._now:
            self.decided.add(seat)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self.stop()
        if exitstatus != pytest.ExitCode.OK or not is_whole(session.config):
            return
        silent = unmoved((seat.id for seat in seats()), self.decided)
        if silent:
            self._complaint = f"no test of its own makes these seats decide: {', '.join(silent)}"
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._complaint:
            terminalreporter.write_line(f"FAILED {self._complaint}", red=True, bold=True)


def is_whole(config: pytest.Config) -> bool:
    """Say whether the run is one of the whole suite."""
    option = config.option
    # The cache's plugin, which has `--last-failed`, may be turned off.
    again = getattr(option, "lf", False)
    narrowed = option.keyword or option.markexpr not in _SLOW_ONES_LEFT_OUT or again or option.collectonly
    paths = [config.rootpath / path for path in config.getini("testpaths")]
    named = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]
    return not narrowed and not option.deselect and not option.ignore and named == paths


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(SeatWatch(), "seat-watch")
