"""Named points at which a test kills the process, or one engine of it.

Every commit has two, `<verb>.before` and `<verb>.after`, and every call to a platform too, as
`<platform call>.before` and `.after`. Nothing is armed unless `[engine] failpoint` says so.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

Hook = Callable[[str], None]

_hook: Hook | None = None


class Killed(BaseException):
    """Raised by a hook that kills one engine instead of the process: nothing of it goes on, nobody is told."""


def reach(name: str) -> None:
    """Say that the process is at this point."""
    if _hook is not None:
        _hook(name)


def arm(hook: Hook | None) -> None:
    """Call `hook` with the name of each point that is reached; None disarms."""
    global _hook
    _hook = hook


def kill_at(setting: str) -> Hook:
    """Return the hook for a setting `NAME:N` or `NAME:N:SIGNAL`: a signal to ourselves at the Nth time."""
    name, _, rest = setting.partition(":")
    count, _, signal_name = rest.partition(":")
    left = int(count or 1)
    number = signal.Signals[signal_name or "SIGKILL"]

    def hook(reached: str) -> None:
        nonlocal left
        if reached == name:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), number)

    return hook
