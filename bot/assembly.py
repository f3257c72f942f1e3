"""Assembly: settings in, a running bot out. The only file of the path that names the other folders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
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
from bot.clock import Clock, SystemClock
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
from bot.registry import load, modules
from bot.replies import Part, Reply
from bot.rules import Rules
from bot.running import Bot
from bot.settings import Settings
from commands import found as find_commands
from commands.router import find as find_word
from commands.run import Commands
from storage.desk import SqlDesk
from storage.hints import listen as listen_to_hints
from storage.opened import Opened, open_storage
from storage.page import Pages
from storage.postgres import plain_url
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
    """A bot that is ready to work, and what must be closed behind it."""

    bot: Bot
    web: WebServer
    storage: Opened
    models: Models
    first_code: str | None
    """The one-time code that makes its bearer the first administrator, where nobody is one yet."""
    lost: asyncio.Event
    """Set when our lease could not be renewed: others may work on what was ours."""

    async def close(self) -> None:
        """Stop listening, let runs end, and let go of everything."""
        await (self.bot.drop() if self.lost.is_set() else self.bot.stop())
        await self.web.stop()
        await self.models.close()
        await self.storage.close()


async def assemble(settings: Settings, chosen: Platforms, *, clock: Clock | None = None) -> Assembled:
    """Put everything together and start it. Raises `StartError` and `SettingsError` with the cure."""
    clock = clock or SystemClock()
    if settings.engine.failpoint:
        failpoint.arm(failpoint.kill_at(settings.engine.failpoint))
    lost = asyncio.Event()
    reserving = frozenset(name for name, adapter in chosen.items() if adapter.capabilities.reserves)
    storage = await open_storage(settings, version=VERSION, reserving=reserving, lost=lost.set)
    metrics = Metrics()
    web = WebServer(settings.web.host, settings.web.port)
    words = find_commands()
    admission = Admission(storage.people, clock, PAGE)
    outlets: dict[str, Outlet] = {}
    delivery = Delivery(storage.engine, outlets, clock, metrics, hours=settings.limits.delivery_hours)
    lanes = Lanes(
        storage.engine,
        delivery,
        outlets,
        clock,
        metrics,
        at_once=settings.limits.runs_at_once,
        attempts=settings.limits.attempts,
    )
    desk = SqlDesk(storage.database, clock, _models(settings), _facts(words))
    limiter = Limiter(settings.access, settings.limits)
    path = Path(engine=storage.engine, lanes=lanes, delivery=delivery, clock=clock, watch=metrics)
    connections: dict[str, Connection] = {}
    intakes: dict[str, Intake] = {}
    ports = {"web": web, "pages": Pages(storage.database), "admission": admission, "watch": metrics}
    for name, adapter in chosen.items():
        connection = await adapter.open(_toolkit(settings, adapter, clock, words, ports))
        connections[name] = connection
        outlets[name] = _outlet(settings, adapter, connection)
        rules = _rules(settings, adapter, connection.account, words, clock)
        door = Gatekeeper(rules, limiter, clock)
        intakes[name] = Intake(path, door, settings.access, reserves=adapter.capabilities.reserves)
    models = Models(settings.profiles, settings.keys, settings.limits, clock)
    models.check()
    steps = Finishing(storage.engine, lanes, outlets, metrics, long_run_seconds=settings.limits.long_run_seconds)
    agent = Agent(
        settings=settings,
        ports=Ports(steps=steps, places=lambda room: _place(outlets, room), budget=desk, clock=clock),
        models=models,
        caller=Caller(clock=clock, calls_at_once=settings.limits.model_calls_at_once),
    )
    lanes.staff(agent, Commands(words, desk, lambda text: find_word(text, words)).answer)

    async def may_listen(platform: str, account: str) -> bool:
        listen = Listen(worker=storage.worker, platform=platform, account=account)
        return await storage.workers.take_listener(listen)

    bot = Bot(lanes, delivery, intakes, connections, may_listen, clock)
    heart = Heart(clock)
    lanes.beat(heart.beat)
    metrics.watch(running=lambda: lanes.running)
    register(web, Vitals(ping=storage.people.needs_first_admin, listening=bot.listening, heart=heart), metrics)
    first_code = await admission.first_code()
    await web.start()
    bot.start(*_hints(settings, storage, clock, lanes, delivery))
    return Assembled(bot=bot, web=web, storage=storage, models=models, first_code=first_code, lost=lost)


def _hints(settings: Settings, storage: Opened, clock: Clock, lanes: Lanes, delivery: Delivery) -> Sequence[Any]:
    if storage.database.exclusive:
        return ()

    def told(what: str) -> None:
        kind, _, key = what.partition(":")
        if kind == "room":
            delivery.look(key)
        else:
            lanes.wake()

    return (listen_to_hints(plain_url(settings.database_url), clock, told),)


def _toolkit(
    settings: Settings, adapter: Adapter, clock: Clock, words: Mapping[str, Command], ports: Mapping[str, Any]
) -> Toolkit:
    own = settings.adapters[adapter.name]
    return Toolkit(
        environment=own.environment,
        options=own.options,
        home=settings.home,
        clock=clock,
        commands=list(words.values()),
        ports=ports,
    )


def _outlet(settings: Settings, adapter: Adapter, connection: Connection) -> Outlet:
    facts = adapter.capabilities
    rate = float(settings.adapters[adapter.name].options.get("posts_per_second", facts.posts_per_second))
    return Outlet(adapter=adapter, connection=connection, pace=Bucket(rate, rate), room_paced=rate > 0)


def _rules(settings: Settings, adapter: Adapter, account: str, words: Mapping[str, Command], clock: Clock) -> Rules:
    def say(text: str) -> tuple[Part, ...]:
        return adapter.render(Reply(text=text))

    return Rules(
        access=settings.access,
        limits=settings.limits,
        say=say,
        find_command=lambda text: find_word(text, words, prefixes=adapter.capabilities.command_prefixes),
        commands=words,
        account=account,
        now=clock.now(),
    )


def _place(outlets: Mapping[str, Outlet], room: Room) -> Place:
    outlet = outlets[room.platform]
    return Place(capabilities=outlet.adapter.capabilities, render=outlet.adapter.render, fetcher=outlet.connection)


def _models(settings: Settings) -> Sequence[ModelFacts]:
    return [
        ModelFacts(
            name=profile.name,
            title=profile.title or profile.model,
            vision=profile.vision,
            tools=profile.tools,
            context_tokens=profile.context_tokens,
        )
        for profile in settings.profiles
    ]


def _facts(words: Mapping[str, Command]) -> Sequence[CommandFacts]:
    return [
        CommandFacts(name=word.name, summary=word.summary, usage=word.usage, role=word.role)
        for word in sorted(words.values(), key=lambda word: word.name)
    ]
