"""Door: who stands before a request, and whether it may do what it asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from adapters.web import session, texts
from adapters.web.guard import Guard
from adapters.web.ports import Admission, Sessions
from bot.clock import Clock
from bot.transcript import Moment, Session


@dataclass(frozen=True, kw_only=True, slots=True)
class Visitor:
    """A person who is signed in."""

    account: str
    name: str
    token: str
    token_hash: str


VisitorHandler = Callable[[web.Request, Visitor], Awaitable[web.StreamResponse]]
RequestHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Door:
    """Lets a request through to its handler, or not."""

    def __init__(self, guard: Guard, sessions: Sessions, admission: Admission, clock: Clock) -> None:
        self._guard = guard
        self._sessions = sessions
        self._admission = admission
        self._clock = clock

    def open(self, handler: RequestHandler) -> RequestHandler:
        """Let everybody through who uses an address of ours."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            self.check_host(request)
            return await handler(request)

        return guarded

    def page(self, handler: VisitorHandler) -> RequestHandler:
        """Let visitors look; others are shown the way to sign in."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            self.check_host(request)
            visitor = await self.visitor(request)
            if visitor is None:
                if "text/html" in request.headers.get("Accept", ""):
                    raise web.HTTPFound("/")
                raise web.HTTPUnauthorized(text=texts.SIGN_IN_AGAIN)
            return await handler(request, visitor)

        return guarded

    def act(self, handler: VisitorHandler) -> RequestHandler:
        """Let visitors change something, from a page of ours only."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            self.check_host(request)
            self.check_origin(request)
            visitor = await self.visitor(request)
            if visitor is None:
                raise web.HTTPUnauthorized(text=texts.SIGN_IN_AGAIN)
            if not session.is_csrf(request.headers.get("X-CSRF-Token", ""), visitor.token):
                raise web.HTTPForbidden(text=texts.STALE_FORM)
            return await handler(request, visitor)

        return guarded

    async def visitor(self, request: web.Request) -> Visitor | None:
        """Return who is signed in, as long as they may come in."""
        token = session.token_in(request.cookies, session.COOKIE)
        if not token:
            return None
        found = await self.session(session.hash_of(token))
        if found is None or await self._admission.person(found.account) is None:
            return None
        return Visitor(account=found.account, name=found.name, token=token, token_hash=found.token_hash)

    async def session(self, token_hash: str) -> Session | None:
        return await self._sessions.session(Moment(id=token_hash, now=self._clock.now()))

    def check_host(self, request: web.Request) -> None:
        if not self._guard.knows(request.host):
            raise web.HTTPMisdirectedRequest(text=texts.foreign_host(request.host))

    def check_origin(self, request: web.Request) -> None:
        if not self._guard.is_own_page(request.headers):
            raise web.HTTPForbidden(text=texts.FOREIGN_ORIGIN)

    def is_https(self, request: web.Request) -> bool:
        return self._guard.is_https(secure=request.secure, host=request.host)
