"""Prepare: settle, before the first step, with which model and how a run is worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from agent import texts
from agent.choose import choose
from agent.folder import ThreadFolder
from agent.limits import step_limit
from agent.ports import Budget, ModelSource, Place
from agent.prompt import RoomFacts, date_line, system_prompt
from agent.thinking import Wish, resolve
from agent.tool import Tool, ToolContext
from agent.toolset import allowed, exposed
from agent.turn import Plan
from agent.window import Space, estimate, space_for, tools_cost
from bot.clock import Clock
from bot.errors import DeckhandError, NotAllowed, SettingsError
from bot.settings import AgentSettings, Profile, Settings
from bot.texts import over_budget
from bot.work import Claim

_log = structlog.get_logger(__name__)


class NotReady(DeckhandError):
    """A run cannot begin; the sentence is for people, `error` for the operator."""

    def __init__(self, sentence: str, *, error: str) -> None:
        self.error = error
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stock:
    """What all runs draw on."""

    settings: Settings
    models: ModelSource
    tools: tuple[Tool, ...]
    """Those that exist."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """What was settled."""

    plan: Plan
    tools: tuple[Tool, ...]
    space: Space


async def check_budget(budget: Budget, limit: float | None, now: datetime) -> None:
    """Raise `NotReady` when the day's money is spent; days are those of UTC."""
    if limit is None:
        return
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if await budget.spent(midnight) >= limit:
        raise NotReady(over_budget(limit), error="limits.usd_per_day")


def prepare(claim: Claim, place: Place, stock: Stock, clock: Clock) -> Prepared:
    """Return how to work on a claim; raises `NotReady`."""
    try:
        return _prepare(claim, place, stock, clock)
    except NotAllowed as error:
        raise NotReady(str(error), error=str(error)) from error
    except SettingsError as error:
        _log.error("run_not_ready", run=claim.run_id, because=str(error))
        raise NotReady(texts.NOT_CONFIGURED, error=str(error)) from error


def _prepare(claim: Claim, place: Place, stock: Stock, clock: Clock) -> Prepared:
    settings = stock.settings
    agent = _agent(settings, claim.agent)
    profile = choose(settings.profiles, model_name=claim.model_pin, agent_model=agent.model)
    think = resolve(
        profile.thinking, model=profile.name, request=Wish(), agent=Wish(thinking=agent.thinking, effort=agent.effort)
    )
    chosen = exposed(allowed(stock.tools, agent.tools), model_uses_tools=profile.tools)
    system = _system(claim, place, agent, chosen, clock.now())
    fixed = sum(map(estimate, system)) + tools_cost(tool.spec for tool in chosen)
    unattended = place.capabilities.unattended
    plan = Plan(
        model=stock.models.get(profile.name),
        system=system,
        thinking=think.thinking,
        effort=think.effort,
        temperature=agent.temperature,
        max_tokens=agent.max_tokens,
        steps=step_limit(agent.steps, settings.limits, unattended=unattended),
        fixed_tokens=fixed,
        context=_context(claim, place, settings, clock),
    )
    return Prepared(plan=plan, tools=chosen, space=_space(profile, agent, fixed))


def _agent(settings: Settings, name: str) -> AgentSettings:
    if name and name not in settings.agents:
        _log.warning("agent_unknown", name=name)
    return settings.agents.get(name) or settings.agents["default"]


def _system(claim: Claim, place: Place, agent: AgentSettings, tools: Sequence[Tool], now: datetime) -> tuple[str, ...]:
    room = RoomFacts(direct=claim.direct, title=claim.title, unattended=place.capabilities.unattended)
    prompt = system_prompt(
        name=agent.name, instructions=agent.instructions, room=room, tools=[tool.name for tool in tools]
    )
    return prompt, date_line(now.date())


def _context(claim: Claim, place: Place, settings: Settings, clock: Clock) -> ToolContext:
    return ToolContext(
        thread_id=claim.thread_id,
        run_id=claim.run_id,
        requester=claim.requester,
        folder=ThreadFolder.of(settings.home, claim.thread_id),
        clock=clock,
        max_file_bytes=place.capabilities.max_file_bytes,
    )


def _space(profile: Profile, agent: AgentSettings, fixed: int) -> Space:
    return space_for(
        context_tokens=profile.context_tokens, max_tokens=agent.max_tokens or profile.max_tokens, fixed=fixed
    )
