"""The pure parts of the page: rendering, cards, what a press says, names and titles."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.web import ADAPTER
from adapters.web.cards import Unfilled, card_body, label_of, says
from adapters.web.files import clean_name, clean_type
from adapters.web.markup import markup
from adapters.web.receive import read_press, title_of
from adapters.web.render import is_preview
from bot.cards import Action, Card, Field, FieldKind, Option, Style
from bot.replies import OutFile, PartKind, Reply

COLOURS = (Option(label="Red", value="r"), Option(label="Blue", value="b"))


def a_card(*fields: Field, actions: tuple[Action, ...] = (Action(label="Go", value="/go 1"),)) -> dict[str, object]:
    return card_body(Card(text="Well?", fields=fields, actions=actions), markup)


def test_text_card_and_files_are_one_message_and_one_for_each_file() -> None:
    file = OutFile(name="a.txt", path=Path("/x/a.txt"))
    parts = ADAPTER.render(Reply(text="*Hi*", card=Card(text="Well?"), files=(file, file)))
    assert [part.kind for part in parts] == [PartKind.TEXT, PartKind.FILE, PartKind.FILE]
    assert parts[0].body["html"] == "<p><em>Hi</em></p>"
    assert parts[0].body["text"] == "*Hi*\n\nWell?"
    assert parts[1].body == {"path": "/x/a.txt", "name": "a.txt", "media_type": "application/octet-stream"}


def test_files_alone_need_no_text() -> None:
    (part,) = ADAPTER.render(Reply(files=(OutFile(name="a.txt", path=Path("/x/a.txt")),)))
    assert part.kind is PartKind.FILE


@pytest.mark.parametrize("text", ["", "  \n "])
def test_nothing_to_show_says_so(text: str) -> None:
    (part,) = ADAPTER.render(Reply(text=text))
    assert "nothing to show" in part.body["html"]


def test_a_preview_is_known_as_one_and_an_answer_is_not() -> None:
    assert is_preview(ADAPTER.preview("half"))
    assert not is_preview(ADAPTER.render(Reply(text="whole"))[0])


def test_nothing_is_refused_for_its_formatting() -> None:
    assert ADAPTER.plainer(ADAPTER.render(Reply(text="**x**"))[0]) is None


def test_a_button_says_its_word() -> None:
    assert says(a_card(), 0, {}) == "/go 1"
    with pytest.raises(IndexError):
        says(a_card(), 1, {})


@pytest.mark.parametrize(
    ("field", "values", "said"),
    [
        (Field(name="n", label="N"), ["  some text "], "/go 1 some text"),
        (Field(name="n", label="N", required=False), [], "/go 1"),
        (Field(name="n", label="N", kind=FieldKind.CHOICE, options=COLOURS), ["b"], "/go 1 b"),
        (Field(name="n", label="N", kind=FieldKind.MANY, options=COLOURS), ["r", "b"], "/go 1 r, b"),
        (Field(name="n", label="N", kind=FieldKind.CHECKBOX), ["yes"], "/go 1 yes"),
        (Field(name="n", label="N", kind=FieldKind.CHECKBOX), [], "/go 1 no"),
    ],
)
def test_one_field_follows_its_word_as_if_typed(field: Field, values: list[str], said: str) -> None:
    assert says(a_card(field), 0, {"n": values}) == said


def test_several_fields_stand_on_lines_of_their_own() -> None:
    card = a_card(Field(name="a", label="A"), Field(name="b", label="B", required=False), Field(name="c", label="C"))
    assert says(card, 0, {"a": ["1"], "c": ["3"]}) == "/go 1\na: 1\nc: 3"


@pytest.mark.parametrize(
    ("field", "values"),
    [
        (Field(name="n", label="N"), []),
        (Field(name="n", label="N"), ["  "]),
        (Field(name="n", label="N", kind=FieldKind.CHOICE, options=COLOURS), ["green"]),
        (Field(name="n", label="N", kind=FieldKind.MANY, options=COLOURS), ["r", "green"]),
    ],
)
def test_a_form_that_is_not_filled_in_right_is_refused(field: Field, values: list[str]) -> None:
    with pytest.raises(Unfilled):
        says(a_card(field), 0, {"n": values})


def test_a_plain_button_behind_others_says_only_its_word() -> None:
    actions = (
        Action(label="Send", value="/send", style=Style.PRIMARY),
        Action(label="Refuse", value="/refuse", style=Style.DANGER),
        Action(label="Cancel", value="/cancel"),
    )
    card = a_card(Field(name="n", label="N"), actions=actions)
    assert says(card, 2, {}) == "/cancel"
    assert says(card, 1, {"n": ["too early"]}) == "/refuse too early"
    assert label_of(card, 1, {"n": ["too early"]}) == "Refuse: too early"
    assert label_of(card, 2, {"n": ["too early"]}) == "Cancel"


def test_a_deadline_is_shown_in_utc() -> None:
    body = card_body(Card(deadline=datetime(2026, 3, 1, 12, 30, tzinfo=UTC)), markup)
    assert body["until"] == "2026-03-01T12:30+00:00"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("hello", "hello"),
        ("\n\n## A  heading\nmore", "A heading"),
        ("x" * 61, "x" * 59 + "…"),
        ("***", "New conversation"),
    ],
)
def test_a_conversation_is_called_by_its_first_words(text: str, title: str) -> None:
    assert title_of(text, ()) == title


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.txt", "a.txt"),
        ("a\r\nb\u202e.txt", "ab.txt"),
        ("", "file"),
        ("..", "file"),
        ("x" * 200 + ".txt", "x" * 120 + "x" * 26 + ".txt"),
    ],
)
def test_file_names_lose_what_could_do_harm(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


@pytest.mark.parametrize(
    ("said", "name", "cleaned"),
    [
        ("image/png", "a.txt", "image/png"),
        ("Text/Plain; charset=utf-8", "a", "text/plain"),
        ("", "a.csv", "text/csv"),
        ("application/octet-stream", "a.pdf", "application/pdf"),
        ("no type\r\nX: y", "a.unknown-ending", "application/octet-stream"),
    ],
)
def test_media_types_are_taken_or_guessed(said: str, name: str, cleaned: str) -> None:
    assert clean_type(said, name) == cleaned


def test_the_adapter_is_imported_without_templates_and_web_server() -> None:
    code = "import sys, adapters.web; print([name for name in ('jinja2', 'aiohttp') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_filled_in_holds_nothing_that_no_database_can_keep() -> None:
    press = read_press(rb'{"key": "key-00001", "message": 1, "action": 0, "values": {"why": ["a\u0000b"], "who": "c"}}')
    assert press.values == {"why": ("ab",), "who": ("c",)}
