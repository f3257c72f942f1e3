"""Searching for the most that fits, with few tries."""

from __future__ import annotations

from collections.abc import Callable


def most(count: int, fits: Callable[[int], bool], *, step: int = 1) -> int:
    """Return the largest number up to `count` that fits, where every smaller one does too.

    Grows from small numbers, so that the cost follows the answer and not `count`.
    """
    low = 0
    while low + step <= count and fits(low + step):
        low += step
        step *= 2
    high = min(count + 1, low + step)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
