"""Says at the end, where nobody overlooks it, when the browser tests could not run."""

from __future__ import annotations

import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NOT_RUN = "NOT RUN: the browser tests need chromium on the PATH, as from `apt-get install chromium`"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if CHROMIUM is None:
        terminalreporter.write_line(NOT_RUN, red=True, bold=True)
