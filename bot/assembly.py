"""Assembly: settings in, a running bot out. The only file of the path that names the other folders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from typing import Any, cast

import adapters
from adapters._shared.server import WebServer
from agent import Agent
from agent.call import Caller
from agent.factory import Models
from agent.ports import Place, Ports
from bot import failpoint
from bot.adapter import Adapter, Connection, Toolkit
from bot.admission import Admission
from bot.clock import Clock
from bot.command import Command
from bot.delivery import Delivery
from bot.desk import CommandFacts, ModelFacts
from bot.events import Room
from bot.finishing import Finishing
from bot.gatekeeper import Gatekeeper
from bot.health import Heart, Vitals, register
from bot.intake import Intake, Path
from bot.lanes import Lanes
from bot.limiter import Limiter
from bot.metrics import Metrics
from bot.outlets import Outlet
from bot.pacing import Bucket
from bot.registry import discover, load, modules
from bot.replies import Part, Reply
from bot.rules import Rules
from bot.running import Bot, MayListen
from bot.settings import Settings
from bot.system_clock import SystemClock
from commands import found as find_commands
from commands.router import find as find_word
from commands.run import Commands
from scheduler import chores
from scheduler.chore import Chore
from scheduler.ticker import Ticker
from storage.desk import SqlDesk
from storage.hints import listen as listen_to_hints
from storage.opened import REAL, Opened, open_storage
from storage.page import Pages
from storage.postgres import plain_url
from storage.upkeep import SqlUpkeep
from storage.workers import Listen

VERSION = installed_version("deckhand-bot")

PAGE = "web"
"""The platform that is our own page."""

Platforms = Mapping[str, Adapter]


def platforms() -> Platforms:
    """Return every adapter by its name."""
    found = (load(f"{module.__name__}:ADAPTER") for module in modules(adapters))
    return {adapter.name: adapter for adapter in cast("Iterable[Adapter]", found)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Assembled:
    """A bot at work, and what must be closed behind it."""

    bot: Bot
    web: WebServer
    storage: Opened
    models: Models
    first_code: str | None
    """The one-time code that makes its bearer the first administrator, where nobody is one yet."""
    sign_in_code: str | None
    """The one-time code that signs the first administrator in from another browser, for ten minutes."""
    lost: asyncio.Event
    """Set when our lease could not be renewed: others may work on what was ours."""

    async def close(self) -> None:
        """Stop listening, let runs end, and let go of everything."""
        await (self.bot.drop() if self.lost.is_set() else self.bot.stop())
        await self.web.stop()
        await self.models.close()
        await self.storage.close()


@dataclass(frozen=True, kw_only=True, slots=True)
class Core:
    """What all adapters share."""

    settings: Settings
    clock: Clock
    storage: Opened
    metrics: Metrics
    web: WebServer
    words: Mapping[str, Command]
    admission: Admission
    outlets: dict[str, Outlet]
    path: Path


async def assemble(
    settings: Settings, chosen: Platforms, *, people: str = REAL, clock: Clock | None = None
) -> Assembled:
    """Put everything together and start it. Raises `StartError` and `SettingsError` with the cure."""
    if settings.engine.failpoint:
        failpoint.arm(failpoint.kill_at(settings.engine.failpoint))
    clock = clock or SystemClock()
    models = Models(settings.profiles, settings.keys, settings.limits, clock)
    models.check()
    lost = asyncio.Event()
    reserving = frozenset(name for name, adapter in chosen.items() if adapter.capabilities.reserves)
    storage = await open_storage(settings, version=VERSION, reserving=reserving, lost=lost.set, people=people)
    async with AsyncExitStack() as undo:
        undo.push_async_callback(storage.close)
        assembled = await _start(_core(settings, storage, clock), chosen, models, lost, undo)
        undo.pop_all()
        return assembled


async def _start(core: Core, chosen: Platforms, models: Models, lost: asyncio.Event, undo: AsyncExitStack) -> Assembled:
    """Sign in everywhere and begin to work; `undo` is told what a failure on the way must close again."""
    undo.push_async_callback(core.web.stop)
    connections, intakes = await _open(core, chosen, undo)
    _staff(core, models)
    bot = Bot(core.path.lanes, core.path.delivery, intakes, connections, _may_listen(core.storage), core.clock)
    _watch(core, bot)
    first_code = await core.admission.first_code()
    sign_in_code = None if first_code else await core.admission.sign_in_code()
    await core.web.start()
    bot.start(_ticker(core).run(), *_hints(core))
    return Assembled(
        bot=bot,
        web=core.web,
        storage=core.storage,
        models=models,
        first_code=first_code,
        sign_in_code=sign_in_code,
        lost=lost,
    )


def _core(settings: Settings, storage: Opened, clock: Clock) -> Core:
    metrics, limits = Metrics(), settings.limits
    storage.database.tell(metrics.committed)
    outlets: dict[str, Outlet] = {}
    delivery = Delivery(storage.engine, outlets, clock, metrics, hours=limits.delivery_hours)
    at_once = limits.runs_at_once
    lanes = Lanes(storage.engine, delivery, outlets, clock, metrics, at_once=at_once, attempts=limits.attempts)
    return Core(
        settings=settings,
        clock=clock,
        storage=storage,
        metrics=metrics,
        web=WebServer(settings.web.host, settings.web.port),
        words=find_commands(),
        admission=Admission(storage.people, clock, PAGE),
        outlets=outlets,
        path=Path(engine=storage.engine, lanes=lanes, delivery=delivery, clock=clock, watch=metrics),
    )


async def _open(core: Core, chosen: Platforms, undo: AsyncExitStack) -> tuple[dict[str, Connection], dict[str, Intake]]:
    """Sign in to every platform; its events go through gates of its own into the one path."""
    settings, clock = core.settings, core.clock
    limiter = Limiter(settings.access, settings.limits)
    ports = {
        "web": core.web,
        "pages": Pages(core.storage.database),
        "admission": core.admission,
        "watch": core.metrics,
    }
    connections: dict[str, Connection] = {}
    intakes: dict[str, Intake] = {}
    for name, adapter in chosen.items():
        connection = await adapter.open(_toolkit(core, adapter, ports))
        connections[name] = connection
        undo.push_async_callback(connection.close)
        core.outlets[name] = _outlet(settings, adapter, connection)
        door = Gatekeeper(_rules(core, adapter, connection.account), limiter, clock)
        intakes[name] = Intake(core.path, door, settings.access)
    return connections, intakes


def _staff(core: Core, models: Models) -> None:
    """Say who answers: the agent conversation, the commands control words."""
    settings, words, lanes = core.settings, core.words, core.path.lanes
    desk = SqlDesk(core.storage.database, core.clock, _models(settings), _facts(words))
    seconds = settings.limits.long_run_seconds
    steps = Finishing(core.storage.engine, lanes, core.outlets, core.metrics, long_run_seconds=seconds)
    agent = Agent(
        settings=settings,
        ports=Ports(steps=steps, places=lambda room: _place(core.outlets, room), budget=desk, clock=core.clock),
        models=models,
        caller=Caller(clock=core.clock, calls_at_once=settings.limits.model_calls_at_once),
    )
    lanes.staff(agent, Commands(words, desk, lambda text: find_word(text, words)).answer)


def _watch(core: Core, bot: Bot) -> None:
    """Let others see how we are."""
    heart = Heart(core.clock)
    core.path.lanes.beat(heart.beat)
    core.metrics.watch(running=lambda: core.path.lanes.running, queued=lambda: core.path.lanes.queued)
    vitals = Vitals(ping=core.storage.people.needs_first_admin, listening=bot.listening, heart=heart)
    register(core.web, vitals, core.metrics)


def _ticker(core: Core) -> Ticker:
    upkeep = SqlUpkeep(core.storage.database)
    found = discover(chores, "CHORE", Chore)
    return Ticker(found.values(), upkeep, core.clock, keep_days=core.settings.limits.keep_days)


def _may_listen(storage: Opened) -> MayListen:
    async def may_listen(platform: str, account: str) -> bool:
        listen = Listen(worker=storage.worker, platform=platform, account=account)
        return await storage.workers.take_listener(listen)

    return may_listen


def _hints(core: Core) -> Sequence[Any]:
    storage, path = core.storage, core.path
    if storage.database.exclusive:
        return ()

    def told(what: str) -> None:
        kind, _, key = what.partition(":")
        if kind == "room":
            path.delivery.look(key)
        else:
            path.lanes.wake()

    return (listen_to_hints(plain_url(core.settings.database_url), core.clock, told),)


def _toolkit(core: Core, adapter: Adapter, ports: Mapping[str, Any]) -> Toolkit:
    own = core.settings.adapters[adapter.name]
    return Toolkit(
        environment=own.environment,
        options=own.options,
        home=core.settings.home,
        clock=core.clock,
        commands=list(core.words.values()),
        ports=ports,
    )


def _outlet(settings: Settings, adapter: Adapter, connection: Connection) -> Outlet:
    facts = adapter.capabilities
    rate = float(settings.adapters[adapter.name].options.get("posts_per_second", facts.posts_per_second))
    return Outlet(adapter=adapter, connection=connection, pace=Bucket(rate, rate / 2), room_paced=rate > 0)


def _rules(core: Core, adapter: Adapter, account: str) -> Rules:
    def say(text: str) -> tuple[Part, ...]:
        return adapter.render(Reply(text=text))

    words, prefixes = core.words, adapter.capabilities.command_prefixes
    return Rules(
        access=core.settings.access,
        limits=core.settings.limits,
        say=say,
        find_command=lambda text: find_word(text, words, prefixes=prefixes),
        commands=words,
        account=account,
        now=core.clock.now(),
    )


def _place(outlets: Mapping[str, Outlet], room: Room) -> Place:
    outlet = outlets[room.platform]
    return Place(capabilities=outlet.adapter.capabilities, render=outlet.adapter.render, fetcher=outlet.connection)


def _models(settings: Settings) -> Sequence[ModelFacts]:
    default = settings.agents["default"].model or next((profile.name for profile in settings.profiles), "")
    return [
        ModelFacts(
            name=profile.name,
            title=profile.title or profile.model,
            vision=profile.vision,
            tools=profile.tools,
            context_tokens=profile.context_tokens,
            default=profile.name == default,
        )
        for profile in settings.profiles
    ]


def _facts(words: Mapping[str, Command]) -> Sequence[CommandFacts]:
    return [
        CommandFacts(name=word.name, summary=word.summary, usage=word.usage, role=word.role)
        for word in sorted(words.values(), key=lambda word: word.name)
    ]
