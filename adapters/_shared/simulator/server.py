"""Server: one local HTTP server without a router, so that a call costs little."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.errors import StartError

Handle = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

STOP_SECONDS = 1.0


class LocalServer:
    """Listens on one address and hands every request to one function."""

    def __init__(self, handle: Handle, *, max_bytes: int) -> None:
        self._handle = handle
        self._max_bytes = max_bytes
        self._runner: web.ServerRunner | None = None
        self._host = ""

    async def start(self, host: str, port: int) -> None:
        """Listen; port 0 takes a free one. Raises `StartError` when the address is taken."""
        runner = web.ServerRunner(web.Server(self._answer, access_log=None), shutdown_timeout=STOP_SECONDS)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            await runner.cleanup()
            raise StartError(f"the simulator cannot listen on {host}:{port}: {error.strerror}") from error
        self._runner = runner
        self._host = host

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.content_length is not None and request.content_length > self._max_bytes:
            return web.Response(status=413)
        return await self._handle(request)

    async def stop(self) -> None:
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    @property
    def port(self) -> int:
        """The port it listens on; 0 while it does not."""
        if self._runner is None:
            return 0
        return int(self._runner.addresses[0][1])

    @property
    def url(self) -> str:
        """The address, without a slash at its end."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.port}"


def abort(request: web.BaseRequest) -> web.StreamResponse:
    """Break the connection instead of answering."""
    if request.transport is not None:
        request.transport.abort()
    # The answer goes nowhere: aiohttp finds the connection closed.
    return web.Response(status=500)
