"""One POST whose answer is read as it comes: the edge that touches the network.

aiohttp alone, not the provider's client library: the figures are in docs/decisions/0002-model-transport.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import ipaddress
import urllib.request
from collections.abc import Callable, Mapping

import aiohttp
import orjson
from yarl import URL

from agent.model import ProviderError
from agent.models._failures import clean, refusal
from agent.provider import Supplies

CONNECT_SECONDS = 15.0
TOTAL_SECONDS = 3600.0
"""Even an answer that never falls silent ends here."""
_DRAIN_SECONDS = 0.1
_LONGEST_REFUSAL = 64_000
_LARGE_BODY = 1_000_000

Feed = Callable[[bytes, bool], bool]
"""Takes a chunk and whether the answer calls itself an event stream; True: it is complete, stop reading."""


class Transport:
    """The connections to one address, kept alive between calls."""

    def __init__(self, url: str, supplies: Supplies, *, headers: Mapping[str, str]) -> None:
        self._url = URL(url)
        self._supplies = supplies
        self._headers = {"Content-Type": "application/json", "Accept": "text/event-stream", "User-Agent": "deckhand"}
        self._headers |= headers
        self._session: aiohttp.ClientSession | None = None
        self._proxy: str | None = None

    async def post(self, body: Mapping[str, object], feed: Feed) -> None:
        """Send the body and feed the answer; raises `ProviderError`. Cancelling closes the connection."""
        text = orjson.dumps(body)
        began = False

        def heard(chunk: bytes, streamed: bool) -> bool:
            nonlocal began
            began = True
            return feed(chunk, streamed)

        try:
            try:
                await self._exchange(self._open(), text, heard)
            except aiohttp.ClientConnectorError:
                raise
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
                if began:
                    raise
                # The provider had closed a connection that we kept; nothing of the request was answered.
                async with self._new_session() as session:
                    await self._exchange(session, text, heard)
        except TimeoutError as exc:
            raise self._silence(began) from exc
        except aiohttp.ClientPayloadError as exc:
            raise ProviderError("the answer broke off in the middle", kind="stream") from exc
        except (aiohttp.ClientError, OSError) as exc:
            raise self._unreachable(exc, began) from exc

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _exchange(self, session: aiohttp.ClientSession, text: bytes, feed: Feed) -> None:
        data = io.BytesIO(text) if len(text) > _LARGE_BODY else text
        gap = self._supplies.gap_seconds
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(gap) as silence:
            async with session.post(
                self._url, data=data, headers=self._headers, proxy=self._proxy, allow_redirects=False
            ) as response:
                try:
                    await self._check(response)
                    streamed = response.content_type == "text/event-stream"
                    async for chunk in response.content.iter_any():
                        silence.reschedule(loop.time() + gap)
                        if feed(chunk, streamed):
                            break
                    await _drain(response)
                finally:
                    # A connection with unread bytes cannot be used again; closing it tells the provider to stop.
                    if not response.content.at_eof():
                        response.close()

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._proxy = proxy_for(self._url)
            self._session = self._new_session()
        return self._session

    def _new_session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=TOTAL_SECONDS, sock_connect=CONNECT_SECONDS),
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        if response.status == 200:
            return
        body = await _rest(response)
        raise refusal(response.status, response.headers, body, key=self._supplies.key, now=self._supplies.clock.now())

    def _silence(self, began: bool) -> ProviderError:
        if began:
            return ProviderError(f"nothing came for {self._supplies.gap_seconds:g} s", kind="gap")
        return ProviderError(f"{self._url.host} did not answer in time", kind="timeout")

    def _unreachable(self, exc: Exception, began: bool) -> ProviderError:
        words = clean(str(exc), key=self._supplies.key) or type(exc).__name__
        if began:
            return ProviderError(f"the answer broke off: {words}", kind="stream")
        return ProviderError(f"{self._url.host} cannot be reached: {words}", kind="connection")


async def _drain(response: aiohttp.ClientResponse) -> None:
    """Read the end of the body, so that the connection can be used again; a server that does not end it is left."""
    with contextlib.suppress(TimeoutError, aiohttp.ClientError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            await _rest(response)


async def _rest(response: aiohttp.ClientResponse) -> bytes:
    body = b""
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > _LONGEST_REFUSAL:
            break
    return body


def proxy_for(url: URL) -> str | None:
    """Return the proxy that the machine is set up with; addresses of the machine itself never take one."""
    host = url.host or ""
    if is_loopback(host) or urllib.request.proxy_bypass(host):
        return None
    return urllib.request.getproxies().get(url.scheme)


def is_loopback(host: str) -> bool:
    """Say whether the address is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
