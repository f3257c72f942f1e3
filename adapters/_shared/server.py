"""Web server: one for everything that listens. Routes may be added before and after it starts."""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from aiohttp import web
from aiohttp.typedefs import Handler

from adapters._shared.route_table import Missing, Route, RouteTable
from bot.errors import StartError, StorageBusy

BODY_BYTES = 1_048_576
"""The largest body of a route that does not say otherwise."""

STOP_SECONDS = 2.0
"""How long open requests may take to end once the server stops."""

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What every answer carries unless its handler says otherwise."""

RequestHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_SENTENCES = {
    400: "The request could not be understood.",
    403: "You may not do this here.",
    404: "There is nothing at this address.",
    405: "This address does not take that.",
    413: "That is larger than this address takes.",
    421: "The bot does not answer to this address.",
    429: "That was too often. Please wait a moment.",
    503: "The bot is busy. Please try again in a moment.",
}


class WebServer:
    """An HTTP server on one address."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self._port = port
        self._routes: RouteTable[web.Request, web.StreamResponse] = RouteTable()
        self._runner: web.AppRunner | None = None

    @property
    def port(self) -> int:
        """Where we listen; once started the real one, also when the setting was 0."""
        if self._runner is not None:
            for address in self._runner.addresses:
                return int(address[1])
        return self._port

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        shown = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host
        shown = f"[{shown}]" if ":" in shown else shown
        return f"http://{shown}:{self.port}"

    def add_get(self, path: str, handler: RequestHandler) -> None:
        self.add_route("GET", path, handler)

    def add_post(self, path: str, handler: RequestHandler, *, max_bytes: int = BODY_BYTES) -> None:
        self.add_route("POST", path, handler, max_bytes=max_bytes)

    def add_route(self, method: str, path: str, handler: RequestHandler, *, max_bytes: int = BODY_BYTES) -> None:
        """Answer a method and a path; `{name}` in the path stands for one piece, found in `request.match_info`."""
        self._routes.add(method, path, Route(handler=handler, max_bytes=max_bytes))

    async def start(self) -> None:
        """Listen. Raises `StartError` when the address is taken."""
        app = web.Application(middlewares=[_error_pages])
        app.on_response_prepare.append(_add_security_headers)
        app.router.add_route("*", "/{path:.*}", self._dispatch)
        # The access log would keep one-time codes, which stand in links.
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=STOP_SECONDS)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self._port).start()
        except OSError as error:
            await runner.cleanup()
            raise StartError(
                f"cannot listen on {self.host}:{self._port}: {error.strerror}; "
                "stop what listens there, or set DECKHAND_HOST and DECKHAND_PORT to a free address"
            ) from error
        self._runner = runner

    async def stop(self) -> None:
        """Stop listening; open requests get a moment to end."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _dispatch(self, request: web.Request) -> web.StreamResponse:
        method = "GET" if request.method == "HEAD" else request.method
        found = self._routes.find(method, request.path)
        if isinstance(found, Missing):
            if found.allowed:
                raise web.HTTPMethodNotAllowed(request.method, found.allowed)
            raise web.HTTPNotFound
        request.match_info.clear()
        request.match_info.update(found.pieces)
        return await found.route.handler(request.clone(client_max_size=found.route.max_bytes))


async def _add_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)


@web.middleware
async def _error_pages(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer every error with a page for people and JSON for programs."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return error_response(request, error.status, error.text, keep=error)
    except StorageBusy:
        response = error_response(request, 503)
        response.headers["Retry-After"] = "2"
        return response


def error_response(
    request: web.Request, status: int, sentence: str | None = None, *, keep: web.HTTPException | None = None
) -> web.Response:
    """Return an error as a page where a person looks, as JSON elsewhere."""
    phrase = HTTPStatus(status).phrase
    if not sentence or sentence == f"{status}: {phrase}":
        sentence = _SENTENCES.get(status, f"{phrase}.")
    headers = {name: value for name, value in keep.headers.items() if name in ("Allow", "Retry-After")} if keep else {}
    if "text/html" in request.headers.get("Accept", ""):
        return web.Response(
            status=status, text=_page(status, phrase, sentence), content_type="text/html", headers=headers
        )
    return web.json_response({"error": sentence}, status=status, headers=headers)


def _page(status: int, phrase: str, sentence: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{status} {html.escape(phrase)}</title></head>"
        f"<body><main><h1>{html.escape(phrase)}</h1><p>{html.escape(sentence)}</p>"
        '<p><a href="/">Back to the start</a></p>'
        "</main></body></html>"
    )
