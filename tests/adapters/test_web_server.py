"""The web server that everything shares: routes at any time, limits, headers, errors for people and programs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from io import BytesIO

import aiohttp
import pytest
from aiohttp import web

from adapters._shared.server import WebServer
from bot.errors import StartError, StorageBusy


async def hello(request: web.Request) -> web.StreamResponse:
    return web.Response(text=f"hello {request.match_info.get('name', '')}")


async def size(request: web.Request) -> web.StreamResponse:
    return web.Response(text=str(len(await request.read())))


async def busy(request: web.Request) -> web.StreamResponse:
    raise StorageBusy("the database is busy")


async def broken(request: web.Request) -> web.StreamResponse:
    raise ZeroDivisionError("secret detail")


@pytest.fixture
async def server() -> AsyncIterator[WebServer]:
    server = WebServer("127.0.0.1", 0)
    server.add_get("/early", hello)
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def client(server: WebServer) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(server.url) as session:
        yield session


async def test_routes_may_be_added_before_and_after_the_start(server: WebServer, client: aiohttp.ClientSession) -> None:
    server.add_get("/late/{name}", hello)
    async with client.get("/early") as response:
        assert await response.text() == "hello "
    async with client.get("/late/J%C3%B6rg") as response:
        assert await response.text() == "hello Jörg"
    async with client.get("/late/a/b") as response:
        assert response.status == 404
    with pytest.raises(ValueError, match="has a handler already"):
        server.add_get("/early", hello)


async def test_a_known_path_with_another_method_says_which_are_allowed(client: aiohttp.ClientSession) -> None:
    async with client.post("/early") as response:
        assert (response.status, response.headers["Allow"]) == (405, "GET")
    async with client.head("/early") as response:
        assert response.status == 200


async def test_bodies_are_limited_by_their_route(server: WebServer, client: aiohttp.ClientSession) -> None:
    server.add_post("/small", size, max_bytes=10)
    server.add_post("/large", size, max_bytes=3_000_000)
    server.add_post("/usual", size)
    for path, length, status in (
        ("/small", 10, 200),
        ("/small", 11, 413),
        ("/usual", 1_048_577, 413),
        ("/large", 2_000_000, 200),
    ):
        async with client.post(path, data=BytesIO(b"x" * length)) as response:
            assert (path, length, response.status) == (path, length, status)


async def test_errors_are_pages_for_people_and_json_for_programs(client: aiohttp.ClientSession) -> None:
    async with client.get("/nothing<here>", headers={"Accept": "text/html"}) as response:
        html = await response.text()
        assert response.content_type == "text/html"
        assert "There is nothing at this address." in html
        assert "<here>" not in html
    async with client.get("/nothing") as response:
        assert await response.json() == {"error": "There is nothing at this address."}


async def test_a_busy_database_asks_to_come_again(server: WebServer, client: aiohttp.ClientSession) -> None:
    server.add_post("/busy", busy)
    async with client.post("/busy") as response:
        assert (response.status, response.headers["Retry-After"]) == (503, "2")


async def test_a_broken_handler_tells_nothing_and_ends_nothing(
    server: WebServer, client: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    server.add_get("/broken", broken)
    async with client.get("/broken") as response:
        assert response.status == 500
        assert "secret detail" not in await response.text()
    assert "secret detail" in caplog.text
    async with client.get("/early") as response:
        assert response.status == 200


async def test_every_answer_carries_the_security_headers(client: aiohttp.ClientSession) -> None:
    for path in ("/early", "/nothing"):
        async with client.get(path) as response:
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["X-Frame-Options"] == "DENY"
            assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")


async def test_a_taken_port_is_named_with_the_cure(server: WebServer) -> None:
    second = WebServer("127.0.0.1", server.port)
    with pytest.raises(StartError, match=f"127.0.0.1:{server.port}.*DECKHAND_PORT"):
        await second.start()
