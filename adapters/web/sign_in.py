"""Sign-in by a one-time code, and sign-out."""

from __future__ import annotations

from datetime import timedelta

from aiohttp import web

from adapters.web import answers, facts, session, texts
from adapters.web.door import Door, Visitor
from adapters.web.live import Live
from adapters.web.pages import Pages
from adapters.web.ports import Admission, Sessions
from adapters.web.throttle import Throttle
from bot.clock import Clock
from bot.people import Person
from bot.transcript import Moment, Session
from bot.wording import one_line


class SignIn:
    """Turns a code into a session."""

    def __init__(self, door: Door, pages: Pages, sessions: Sessions, admission: Admission, clock: Clock) -> None:
        self._door = door
        self._pages = pages
        self._sessions = sessions
        self._admission = admission
        self._clock = clock
        self._throttle = Throttle(clock)

    def form(self, request: web.Request, *, error: str = "", name: str = "", status: int = 200) -> web.Response:
        """Show the form that asks for the code."""
        token = session.token_in(request.cookies, session.SIGN_IN_COOKIE) or session.new_token()
        html = self._pages.sign_in(csrf=session.csrf_of(token), name=name, error=error)
        response = answers.page(html, status=status)
        self._set_cookie(request, response, session.SIGN_IN_COOKIE, token)
        return response

    async def by_link(self, request: web.Request, code: str) -> web.Response:
        """Sign in by a link and lead on, so that the code leaves the address bar."""
        return await self._try(request, code, "")

    async def by_form(self, request: web.Request) -> web.StreamResponse:
        """Sign in by the form."""
        self._door.check_origin(request)
        try:
            form = await request.post()
        except (ValueError, LookupError):
            # What the web server makes of bytes that are no form, or in no encoding that it knows.
            return self.form(request, error=texts.STALE_FORM, status=400)
        token = session.token_in(request.cookies, session.SIGN_IN_COOKIE)
        name = one_line(str(form.get("name", "")), most=facts.MAX_NAME)
        if not token or not session.is_csrf(str(form.get("csrf", "")), token):
            return self.form(request, error=texts.STALE_FORM, name=name, status=403)
        return await self._try(request, str(form.get("code", "")), name)

    async def sign_out(self, request: web.Request, visitor: Visitor, live: Live) -> web.StreamResponse:
        """End the session and everything that it looks at."""
        await self._sessions.sign_out(Moment(id=visitor.token_hash, now=self._clock.now()))
        live.end(visitor.token_hash)
        response = answers.values({})
        response.del_cookie(session.COOKIE, path="/")
        return response

    async def _try(self, request: web.Request, code: str, name: str) -> web.Response:
        code = code.strip()
        if not code:
            return self.form(request, error=texts.NO_CODE, name=name, status=400)
        source = request.remote or "?"
        wait = self._throttle.attempt(source)
        if wait:
            response = self.form(request, error=texts.too_many_codes(round(wait)), name=name, status=429)
            response.headers["Retry-After"] = str(round(wait))
            return response
        person = await self._admission.redeem(code, name)
        if person is None:
            return self.form(request, error=texts.WRONG_CODE, name=name, status=403)
        self._throttle.forgive(source)
        return await self._let_in(request, person)

    async def _let_in(self, request: web.Request, person: Person) -> web.Response:
        token = session.new_token()
        await self._sessions.sign_in(
            Session(
                token_hash=session.hash_of(token),
                account=session.account_of(person.id),
                name=person.name,
                expires_at=self._clock.now() + timedelta(days=facts.SESSION_DAYS),
            )
        )
        # 303: the browser goes on with GET, and a reload does not send the code again.
        response = web.Response(status=303, headers={"Location": "/", "Cache-Control": "no-store"})
        self._set_cookie(request, response, session.COOKIE, token, days=facts.SESSION_DAYS)
        response.del_cookie(session.SIGN_IN_COOKIE, path="/")
        return response

    def _set_cookie(
        self, request: web.Request, response: web.Response, name: str, value: str, days: int | None = None
    ) -> None:
        response.set_cookie(
            name,
            value,
            max_age=None if days is None else days * 86_400,
            path="/",
            httponly=True,
            samesite="Strict",
            secure=self._door.is_https(request),
        )
