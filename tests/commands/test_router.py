"""Which texts are control words."""

from __future__ import annotations

import pytest

from bot.command import Found
from bot.seat import journal
from commands.router import SEATS, find

NAMES = ("new", "status", "model", "help", "two-words")
US = frozenset({"opsbot", "u1"})


@pytest.mark.parametrize(
    ("text", "name", "argument"),
    [
        ("/new", "new", ""),
        ("!new", "new", ""),
        ("/NEW", "new", ""),
        ("/new ", "new", ""),
        ("/new  hi there ", "new", "hi there"),
        ("/new\nhi\nthere", "new", "hi\nthere"),
        ("/two-words x", "two-words", "x"),
        ("/status@OpsBot", "status", ""),
        ("/STATUS@opsbot  now", "status", "now"),
        ("@OpsBot /NEW hi", "new", "hi"),
        ("@opsbot: /new", "new", ""),
        ("<@U1> /new", "new", ""),
        ("<@!u1> <@u1> /new", "new", ""),
        ("<@U1|opsbot>, !new", "new", ""),
        ("/model\u00a0small", "model", "small"),
        ("/model\u2009small", "model", "small"),
        ("/model\u3000small", "model", "small"),
        ("/model “big one”", "model", '"big one"'),
        ("/model ‘x’", "model", "'x'"),
        ("/model —fast", "model", "--fast"),
        ("/model gpt\u20115", "model", "gpt-5"),
        ("/two\u2011words", "two-words", ""),
        ("\ufeff/new", "new", ""),
        ("\u200e/new", "new", ""),
        ("/new 你好 👩‍👩‍👧", "new", "你好 👩‍👩‍👧"),
    ],
)
def test_a_known_name_at_the_start_is_a_control_word(text: str, name: str, argument: str) -> None:
    found = find(text, NAMES, us=US)
    assert found is not None
    assert (found.name, found.argument) == (name, argument)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "/",
        "!",
        "//new",
        "/ new",
        " /new",
        "\n/new",
        "new",
        "hello /new",
        "/newer",
        "/new!",
        "/new/x",
        "/unknown",
        "/usr/bin",
        "/status@OtherBot",
        "/status@",
        "@bob /new",
        "@opsbot hello",
        "@opsbot",
        "@opsbot/new",
        "<@U2> /new",
        "!!new",
        "“/new”",
        "- /new",
    ],
)
def test_everything_else_is_chat(text: str) -> None:
    assert find(text, NAMES, us=US) is None


def test_the_prefix_is_told() -> None:
    assert find("!new x", NAMES) == Found(name="new", argument="x", prefix="!")


def test_a_platform_may_know_fewer_prefixes() -> None:
    assert find("!new", NAMES, prefixes=("/",)) is None
    assert find("/new", NAMES, prefixes=("/",)) is not None


def test_b17_where_the_adapter_tells_bots_apart_every_suffix_is_ours() -> None:
    assert find("/status@AnyName", NAMES) == Found(name="status")
    assert find("@bob /new", NAMES) is None


def test_a9_the_seat_records_what_it_decides() -> None:
    assert [seat.id for seat in SEATS] == ["A9"]
    with journal() as decisions:
        find("@OpsBot /NEW hi", NAMES, us=US)
        find("/unknown", NAMES, us=US)
        find("/new@OtherBot", NAMES, us=US)
        find(" /new", NAMES, us=US)
    assert [(decision.seat, decision.outcome) for decision in decisions] == [
        ("A9", "/new"),
        ("A9", "chat"),
        ("A9", "chat"),
    ]


def test_a9_a_mention_kept_by_the_adapter_is_stripped_and_a_leading_space_makes_chat() -> None:
    assert find("@opsbot /NEW hi", NAMES, us=US) == Found(name="new", argument="hi")
    assert find(" /new", NAMES, us=US) is None
