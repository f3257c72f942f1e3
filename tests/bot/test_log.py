"""The log: one record a line, and no secrets."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import structlog

from bot.log import Mask, secrets_of, start_logging
from bot.settings import Access, AdapterSettings, EngineSettings, Limits, Settings, Web
from tests.support.gates import StoppedClock

SECRET = "123456:AAH-very/secret+token"

Start = Callable[..., io.StringIO]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start logging into a string; undone afterwards."""
    bridges: list[logging.Handler] = []

    def started(**options: Any) -> io.StringIO:
        stream = io.StringIO()
        bridges.append(start_logging(clock=StoppedClock(), stream=stream, **options))
        return stream

    yield started
    for bridge in bridges:
        logging.getLogger().removeHandler(bridge)
    structlog.reset_defaults()


def test_a_record_is_one_line_of_name_and_fields(start: Start) -> None:
    stream = start()
    structlog.get_logger().info("run_started", run=7, thread="a b", chat="c/1#2")
    assert stream.getvalue() == '2026-05-04 12:00:00.000 info    run_started run=7 thread="a b" chat=c/1#2\n'


def test_json_is_one_object_a_line(start: Start) -> None:
    stream = start(form="json")
    structlog.get_logger().warning("poll_failed", because="x", path=Path("/tmp/a"))
    assert orjson.loads(stream.getvalue()) == {
        "event": "poll_failed",
        "because": "x",
        "path": "/tmp/a",
        "level": "warning",
        "at": "2026-05-04T12:00:00+00:00",
    }


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("end", ["\n", "\r", "\u2028", "\u0085", "\x1b[2K"])
def test_b54_a_display_name_can_forge_no_record_and_no_field(start: Start, form: str, end: str) -> None:
    stream = start(form=form)
    structlog.get_logger().info("event_taken", name=f'Mallory"{end}admin=true', seen=True)
    line = stream.getvalue()
    assert line.count("\n") == 1
    assert "\x1b" not in line
    assert form == "json" or len(line.splitlines()) == 1
    assert form == "json" or " admin=true" not in line


def test_a_level_is_the_least_that_is_written(start: Start) -> None:
    stream = start(level="warning")
    structlog.get_logger().info("quiet")
    structlog.get_logger().error("loud")
    assert stream.getvalue().count("\n") == 1


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_configured_secret_is_never_written(start: Start, form: str) -> None:
    stream = start(form=form, secrets=[SECRET, 'quote"and\\slash', "line-one-of-key\nline-two-of-key"])
    log = structlog.get_logger()
    log.info(
        "called", url=f"https://api.example/bot{SECRET}/getMe", escaped="https://x/123456%3AAAH-very%2Fsecret%2Btoken"
    )
    log.info("odd", value='quote"and\\slash', key="x line-two-of-key y", nested={"deep": [SECRET]})
    try:
        raise ValueError(f"refused {SECRET}")
    except ValueError as error:
        log.error("failed", exc_info=error)
    text = stream.getvalue()
    assert SECRET not in text and "AAH-very" not in text and "and\\\\slash" not in text and "two-of-key" not in text
    assert text.count("***") == 6
    assert "ValueError: refused ***" in text


def test_a_field_with_a_secret_name_is_hidden_whatever_it_holds(start: Start) -> None:
    stream = start()
    structlog.get_logger().info("x", bot_token="a", api_key="b", Authorization="c", password="d", key="shown", tokens=3)
    line = stream.getvalue()
    assert 'bot_token="***" api_key="***" Authorization="***" password="***" key=shown tokens=3' in line


def test_short_values_do_not_blot_out_words() -> None:
    assert Mask(["secret", ""])("a secret word") == "a secret word"
    assert Mask([])("nothing to hide") == "nothing to hide"


def test_a_secret_within_another_leaves_nothing_standing() -> None:
    assert Mask(["abcdefgh", "abcdefgh-and-more"])("x abcdefgh-and-more y") == "x *** y"


def test_an_error_is_written_below_its_record(start: Start) -> None:
    stream = start()
    try:
        raise RuntimeError("first\nsecond")
    except RuntimeError:
        structlog.get_logger().exception("run_failed", run=1)
    first, *rest = stream.getvalue().splitlines()
    assert first.endswith("error   run_failed run=1")
    assert all(line.startswith("  ") for line in rest)
    assert rest[-2:] == ["  RuntimeError: first", "  second"]


def test_what_libraries_warn_of_is_heard(start: Start) -> None:
    stream = start(secrets=[SECRET])
    library = logging.getLogger("some.library")
    library.info("chatter")
    library.warning("reconnecting to %s", SECRET)
    logging.getLogger().handlers[-1].handle(
        logging.LogRecord("some.library", logging.ERROR, "x.py", 1, "broken %s %s", ("format",), None)
    )
    lines = stream.getvalue().splitlines()
    assert lines[0].endswith('warning library_said library=some.library text="reconnecting to ***"')
    assert lines[1].endswith('error   library_said library=some.library text="broken %s %s"')
    assert len(lines) == 2


def test_starting_twice_hears_libraries_once(start: Start) -> None:
    start()
    stream = start()
    logging.getLogger("lib").warning("once")
    assert stream.getvalue().count("once") == 1


def test_the_secrets_of_the_settings() -> None:
    settings = Settings(
        home=Path("home"),
        database_url="postgresql://bot:pass-word-1@db/bot",
        secret_key="fernet-one,fernet-two",
        web=Web(),
        access=Access(),
        limits=Limits(),
        engine=EngineSettings(),
        profiles=(),
        agents={},
        adapters={
            "paper": AdapterSettings(
                environment={"PAPER_TOKEN": "tok", "PAPER_WEBHOOK_SECRET": "sec", "PAPER_API_URL": "https://x"},
                options={},
            )
        },
        keys={"MODEL_API_KEY": "sk-1"},
    )
    assert set(secrets_of(settings)) == {"pass-word-1", "fernet-one", "fernet-two", "tok", "sec", "sk-1"}


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_cannot_be_written_as_it_is_does_not_stop_whoever_logs(start: Start, form: str) -> None:
    stream = start(form=form)
    structlog.get_logger().warning("odd", name="a\udcffb", number=2**80)
    line = stream.getvalue()
    line.encode()
    assert "odd" in line and str(2**80) in line
