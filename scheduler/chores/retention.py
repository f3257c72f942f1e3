"""Forget payloads, steps, journal and deliveries that are older than the operator keeps them."""

from __future__ import annotations

from datetime import timedelta

import structlog

from scheduler.chore import Chore, House

log = structlog.get_logger("scheduler")


async def retention(house: House) -> None:
    """Prune; 0 days keep everything for ever."""
    if house.keep_days <= 0:
        return
    rows = await house.upkeep.prune(house.now - timedelta(days=house.keep_days))
    if rows:
        log.info("pruned", rows=rows, days=house.keep_days)


CHORE = Chore(name="retention", every=timedelta(hours=6), run=retention)
