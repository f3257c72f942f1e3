"""Transport: the client library's requests, carried by aiohttp.

The library's own transport is httpx, whose pure Python HTTP takes most of the CPU of a bot that answers at once.
Errors keep apart what the library's own classes mix: `NeverSent` left nothing at the platform.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import orjson
from telegram.error import BadRequest, NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData

CONNECT_SECONDS = 5.0
WRITE_SECONDS = 5.0
READ_SECONDS = 10.0
"""Together the `request_seconds` of our capabilities."""
UPLOAD_SECONDS = 120.0
"""How long a body with files may take to be written."""
CONNECTIONS = 256
IDLE_SECONDS = 25.0
"""Shorter than the platform keeps an idle connection, so that we never write into one that it just closed."""
CHUNK_BYTES = 262_144
FLOOD_SECONDS = 5.0
"""Waited where the platform asks for a pause without saying how long."""

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class NeverSent(NetworkError):
    """No connection: the platform has not seen the call."""


class Flooded(TelegramError):
    """The platform asks for a pause. The library's own class warns of a change in it whenever one is made."""

    seconds: float

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"too many requests, retry in {seconds:g} s")


class AiohttpRequest(BaseRequest):
    """One pool of connections. Proxies of the environment are not asked: they would read the token."""

    def __init__(self, *, connections: int = CONNECTIONS) -> None:
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        return READ_SECONDS

    async def initialize(self) -> None:
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections, keepalive_timeout=IDLE_SECONDS)
            self._session = aiohttp.ClientSession(
                connector=connector, trust_env=False, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=True
            )

    async def shutdown(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        try:
            parsed = orjson.loads(payload)
        except orjson.JSONDecodeError as error:
            raise TelegramError("the answer is not JSON") from error
        if not isinstance(parsed, dict):
            raise TelegramError("the answer is not a JSON object")
        return parsed

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        with_files = request_data is not None and request_data.contains_files
        timeout = _timeout(
            connect=_seconds(connect_timeout, CONNECT_SECONDS),
            write=_seconds(write_timeout, UPLOAD_SECONDS if with_files else WRITE_SECONDS),
            read=_seconds(read_timeout, READ_SECONDS),
        )
        headers = _FORM if request_data is not None and not with_files else None
        with translated():
            # Redirects are not followed: the address carries the token.
            async with self._open.request(
                method, url, data=_body(request_data), headers=headers, timeout=timeout, allow_redirects=False
            ) as response:
                payload = await response.read()
        _check(response.status, payload)
        return response.status, payload

    async def download(self, url: str) -> AsyncGenerator[bytes, None]:
        """Yield the bytes of a file. Raises what the library raises for calls."""
        timeout = _timeout(connect=CONNECT_SECONDS, write=WRITE_SECONDS, read=READ_SECONDS, total=UPLOAD_SECONDS)
        with translated():
            async with self._open.get(url, timeout=timeout, allow_redirects=False) as response:
                if response.status != 200:
                    raise BadRequest(f"the file cannot be fetched (status {response.status})")
                async for chunk in response.content.iter_chunked(CHUNK_BYTES):
                    yield chunk

    @property
    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise NeverSent("the connection is closed")
        return self._session


@contextmanager
def translated() -> Iterator[None]:
    """Turn the HTTP client's errors into the library's; their texts are dropped, for the address holds the token."""
    try:
        yield
    except aiohttp.ConnectionTimeoutError:
        raise NeverSent("no connection in time") from None
    except (aiohttp.ClientConnectorError, aiohttp.InvalidURL) as error:
        raise NeverSent(f"no connection: {_reason(error)}") from None
    except TimeoutError:
        raise TimedOut("no answer in time") from None
    except (aiohttp.ClientError, OSError) as error:
        raise NetworkError(f"the connection broke: {_reason(error)}") from None


def _reason(error: BaseException) -> str:
    """Return the operating system's word for it, else the name of the class."""
    # The HTTP client puts words of its own into `strerror`, with the address.
    number = getattr(error, "errno", None)
    return os.strerror(number) if isinstance(number, int) else type(error).__name__


def _check(status: int, payload: bytes) -> None:
    """Raise for answers that the library would not tell apart."""
    if status == 413:
        raise BadRequest("Request Entity Too Large")
    if status == 429:
        raise Flooded(_retry_after(payload))


def _retry_after(payload: bytes) -> float:
    try:
        seconds = AiohttpRequest.parse_json_payload(payload)["parameters"]["retry_after"]
    except (TelegramError, KeyError, TypeError):
        return FLOOD_SECONDS
    return float(seconds) if isinstance(seconds, int | float) and seconds >= 0 else FLOOD_SECONDS


def _seconds(given: Any, otherwise: float) -> float:
    return float(given) if isinstance(given, int | float) else otherwise


def _timeout(*, connect: float, write: float, read: float, total: float | None = None) -> aiohttp.ClientTimeout:
    # The client has no time limit for writing of its own, so it counts towards the whole.
    whole = connect + write + read if total is None else total
    return aiohttp.ClientTimeout(total=whole, connect=connect, sock_connect=connect, sock_read=read + write)


def _body(data: RequestData | None) -> bytes | aiohttp.FormData | None:
    if data is None:
        return None
    if not data.contains_files:
        return data.url_encoded_parameters({"errors": "replace"}).encode()
    form = aiohttp.FormData(quote_fields=False)
    for name, value in data.json_parameters.items():
        form.add_field(name, value)
    for name, (filename, content, media_type) in data.multipart_data.items():
        form.add_field(name, content, filename=filename, content_type=media_type)
    return form
