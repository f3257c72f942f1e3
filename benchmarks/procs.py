"""Processes: CPU time and memory of a process and its descendants, from /proc."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

import psutil

MB = 1e6


@dataclass(frozen=True, kw_only=True, slots=True)
class Use:
    """What a tree of processes has used, and holds."""

    cpu: float
    """Seconds, user and system."""
    waited: float
    """Seconds that its threads were ready to run and had no core: how noisy the machine was."""
    rss_mb: float
    pss_mb: float
    threads: int


def use(pid: int, *, memory: bool = False) -> Use:
    """Measure a tree; PSS costs a walk over the page tables, so it is read only where asked for."""
    cpu = waited = rss = pss = 0.0
    threads = 0
    root = psutil.Process(pid)
    for process in [root, *root.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            times = process.cpu_times()
            cpu += times.user + times.system + times.children_user + times.children_system
            waited += _waited(process.pid)
            threads += process.num_threads()
            if memory:
                full = process.memory_full_info()
                rss, pss = rss + full.rss / MB, pss + full.pss / MB
    return Use(cpu=cpu, waited=waited, rss_mb=rss, pss_mb=pss, threads=threads)


def _waited(pid: int) -> float:
    total = 0
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):
            total += int(file.read_text().split()[1])
    return total / 1e9
