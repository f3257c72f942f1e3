"""Replies become messages within every limit, with legal entities and all their words."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters._shared.characters import blank
from adapters._shared.markdown import parse
from adapters._shared.tree import Rule
from adapters._shared.utf16 import units
from adapters.telegram import texts
from adapters.telegram.cards import card_blocks, control_word, keyboard
from adapters.telegram.entities import linkable, write
from adapters.telegram.facts import MAX_TEXT
from adapters.telegram.render import messages, plainer, preview, render
from bot.cards import Action, Card, Field, FieldKind, Option, Style
from bot.replies import OutFile, Part, PartKind, Reply
from tests.support.markdown import Said, documents, is_in_order, letters, noise
from tests.support.telegram_entities import covered, violations


def texts_of(reply: Reply) -> list[str]:
    return [part.body["text"] for part in render(reply) if part.kind is PartKind.TEXT]


def only(source: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the one message that says the source: its text, and what each entity stands over."""
    [part] = render(Reply(text=source))
    return part.body["text"], spans(part.body)


def spans(body: dict[str, Any]) -> list[tuple[str, str]]:
    return [(entity["type"], covered(body["text"], entity)) for entity in body["entities"]]


def assert_sound(part: Part) -> None:
    body = part.body
    assert 0 < units(body["text"]) <= MAX_TEXT
    code_first = any(entity["type"] == "pre" and entity["offset"] == 0 for entity in body["entities"])
    assert body["text"] == (body["text"].rstrip() if code_first else body["text"].strip())
    assert not blank(body["text"])
    assert violations(body["text"], body["entities"]) == []


def a_file(name: str = "plan.pdf", media_type: str = "application/pdf") -> OutFile:
    return OutFile(name=name, path=Path("/files") / name, media_type=media_type)


def an_action(label: str = "Stop", value: str = "/stop", style: Style = Style.PLAIN) -> Action:
    return Action(label=label, value=value, style=style)


def long_answer() -> str:
    """Return 20,000 characters of a report with titles, tables, code and lists."""
    sections: list[str] = []
    while sum(len(section) for section in sections) < 20_000:
        number = len(sections) + 1
        rows = "\n".join(f"| row{number}_{row} | {row * number} | `x{row}` |" for row in range(8))
        functions = "\n\n".join(f"def f{number}_{row}(x):\n    return x + {row}" for row in range(6))
        sections.append(
            f"## Section{number}\n\nParagraph{number} with **bold{number}**, *italic{number}* and "
            f"[link{number}](https://example.com/{number}).\n\n| name | value | note |\n|---|---:|---|\n{rows}\n\n"
            f"```python\n{functions}\n```\n\n- first{number}\n- second{number}\n  - nested{number} 😀\n\n"
        )
    return "".join(sections)


# --- properties ---------------------------------------------------------------------------------------


@given(documents, st.integers(40, MAX_TEXT))
@settings(max_examples=150, deadline=None)
def test_any_document_fits_any_limit_with_legal_entities_and_every_word(document: Said, limit: int) -> None:
    written = messages(parse(document.source), limit=limit)
    for message in written:
        assert units(message.text) <= limit
        assert violations(message.text, message.entities) == []
        assert not blank(message.text)
    shown = "".join(message.text for message in written)
    assert is_in_order(letters("".join(document.words)), letters(shown))


@given(noise | noise.map(lambda text: f"```\n{text}\n```") | noise.map(lambda text: f"> {text}"), st.integers(40, 300))
@settings(max_examples=200, deadline=None)
def test_noise_makes_legal_messages(text: str, limit: int) -> None:
    for message in messages(parse(text), limit=limit):
        assert units(message.text) <= limit
        assert violations(message.text, message.entities) == []
    for part in (*render(Reply(text=text)), preview(text)):
        assert_sound(part)


@given(documents)
@settings(max_examples=50, deadline=None)
def test_the_plainer_form_has_no_entities_and_loses_nothing(document: Said) -> None:
    for part in render(Reply(text=document.source)):
        plain = plainer(part)
        if not part.body["entities"]:
            assert plain is None
            continue
        assert plain is not None and plain.body["entities"] == []
        assert units(plain.body["text"]) <= MAX_TEXT
        assert is_in_order(part.body["text"], plain.body["text"])


@given(documents, st.integers(0, 400))
@settings(max_examples=50, deadline=None)
def test_every_beginning_of_an_answer_has_a_preview(document: Said, length: int) -> None:
    assert_sound(preview(document.source[:length]))


# --- cases -----------------------------------------------------------------------------------------------


def test_b01_a_long_answer_becomes_several_messages_with_every_word() -> None:
    words = [f"word{number}" for number in range(800)]
    source = "\n\n".join(" ".join(words[start : start + 35]) for start in range(0, 800, 35))
    assert len(source) > 6000
    parts = render(Reply(text=source))
    assert len(parts) >= 2
    for part in parts:
        assert_sound(part)
    assert [word for part in parts for word in part.body["text"].split()] == words


def test_b01_a_long_text_with_a_file_is_no_caption() -> None:
    text, file = render(Reply(text="word " * 250, files=(a_file(),)))
    assert text.kind is PartKind.TEXT
    assert "caption" not in file.body


def test_b01_length_counts_in_utf16_units() -> None:
    parts = render(Reply(text="😀" * 3000))
    assert [units(part.body["text"]) for part in parts] == [4096, 1904]


def test_b07_operators_and_unknown_tags_are_visible_text() -> None:
    text, found = only("if a < b && c > d, pass <name>; line one<br>line two")
    assert text == "if a < b && c > d, pass <name>; line one\nline two"
    assert found == []
    assert only("<think>hm</think> yes\n\n<details>\nmore\n</details>")[0] == (
        "<think>hm</think> yes\n\n<details>\nmore\n</details>"
    )


def test_b07_a_refused_message_has_a_plain_form_once() -> None:
    [part] = render(Reply(text="**a** [b](https://x.org/b) <c>"))
    plain = plainer(part)
    assert plain == Part(body={"text": "a b (https://x.org/b) <c>", "entities": []})
    assert plainer(plain) is None


def test_b61_the_whole_address_is_linked() -> None:
    [part] = render(Reply(text="[Go](https://en.wikipedia.org/wiki/Go_(programming_language)) (see also)."))
    assert part.body["text"] == "Go (see also)."
    assert part.body["entities"] == [
        {
            "type": "text_link",
            "offset": 0,
            "length": 2,
            "url": "https://en.wikipedia.org/wiki/Go_(programming_language)",
        }
    ]
    assert render(Reply(text="[a](https://x.org/b\\c)"))[0].body["entities"][0]["url"] == "https://x.org/b%5Cc"


def test_b62_code_is_shown_as_it_is() -> None:
    text, found = only('- run `a-b.c!` (v1.0)\n\n```sh\necho "#1 - done." \\\n```')
    assert text == '• run a-b.c! (v1.0)\n\necho "#1 - done." \\'
    assert found == [("code", "a-b.c!"), ("pre", 'echo "#1 - done." \\')]


def test_b63_fences_in_fences_inline_fences_and_open_fences() -> None:
    text, found = only("````md\n# T\n```py\nx=1\n```\n````\nafter")
    assert text == "# T\n```py\nx=1\n```\n\nafter"
    assert found == [("pre", "# T\n```py\nx=1\n```")]
    assert only("the syntax is ```like this``` inline") == (
        "the syntax is like this inline",
        [("code", "like this")],
    )
    assert only("```py\nx=1") == ("x=1", [("pre", "x=1")])
    assert spans(preview("```py\nx=1").body) == [("pre", "x=1")]


def test_b74_a_long_text_with_buttons_and_a_photo_is_delivered_whole() -> None:
    source = " ".join(f"word{number}" for number in range(190))
    assert 1400 < len(source) < 1600
    text, photo = render(Reply(text=source, files=(a_file("a.png", "image/png"),), card=Card(actions=(an_action(),))))
    assert text.body["text"] == source
    assert text.body["reply_markup"] == {"inline_keyboard": [[{"text": "Stop", "callback_data": "/stop"}]]}
    assert photo.kind is PartKind.FILE
    assert "caption" not in photo.body and "reply_markup" not in photo.body


def test_b74_twelve_photos_are_twelve_parts() -> None:
    files = tuple(a_file(f"{number}.jpg", "image/jpeg") for number in range(12))
    parts = render(Reply(files=files))
    assert [part.body["name"] for part in parts] == [file.name for file in files]
    assert {part.body["as"] for part in parts} == {"photo"}


def test_a_report_of_20000_characters_arrives_whole() -> None:
    source = long_answer()
    parts = render(Reply(text=source))
    assert 5 <= len(parts) <= 8
    for part in parts:
        assert_sound(part)
        assert "```" not in part.body["text"] and "|---|" not in part.body["text"]
    shown = "\n".join(part.body["text"] for part in parts)
    pre = "\n".join(content for part in parts for kind, content in spans(part.body) if kind == "pre")
    for number in range(1, source.count("## ") + 1):
        for word in ("Section", "Paragraph", "bold", "italic", "link", "first", "second", "nested"):
            assert (
                shown.split().count(f"{word}{number}")
                + shown.split().count(f"{word}{number},")
                + shown.split().count(f"{word}{number}.")
                == 1
            )
        for row in range(8):
            assert pre.count(f"row{number}_{row} ") == 1
        for row in range(6):
            assert pre.count(f"def f{number}_{row}(x):\n    return x + {row}") == 1


# --- how things look -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        ("# Title\n\ntext", "Title\n\ntext", [("bold", "Title")]),
        ("## A `b` **c**", "A b c", [("bold", "A"), ("code", "b"), ("bold", "c")]),
        ("**a `b` c**", "a b c", [("bold", "a"), ("code", "b"), ("bold", "c")]),
        ("***a***", "a", [("bold", "a"), ("italic", "a")]),
        ("~~a *b*~~", "a b", [("strikethrough", "a b"), ("italic", "b")]),
        ("[**a** `b`](https://x.org)", "a b", [("text_link", "a b"), ("bold", "a")]),
        ("![alt](https://x.org/i.png)", "alt", [("text_link", "alt")]),
        ("![](https://x.org/i.png)", "https://x.org/i.png", [("text_link", "https://x.org/i.png")]),
        ("[![ok](https://x.org/i.png)](https://x.org)", "ok", [("text_link", "ok")]),
        ("[a](./b.md)", "a (./b.md)", []),
        ("[a](http://localhost:8000/)", "a (http://localhost:8000/)", []),
        ("<a@x.org> [mail](mailto:a@x.org)", "a@x.org mail (a@x.org)", []),
        ("> a\n>\n> b", "a\n\nb", [("blockquote", "a\n\nb")]),
        ("> a\n> > b\n> > c", "a\n\n│ b\n│ c", [("blockquote", "a\n\n│ b\n│ c")]),
        ("> `a`\n>\n> ```\n>   b\n> ```", "a\n\n  b", [("blockquote", "a\n\n  b"), ("code", "a"), ("pre", "  b")]),
        ("- a\n- b\n  - c\n    - d", "• a\n• b\n   ◦ c\n      ▪ d", []),
        ("3. a\n4. b\n\n   c", "3. a\n\n4. b\n\n   c", []),
        ("- a\n  b", "• a\n   b", []),
        ("- [ ] a\n- [x] b", "☐ a\n☑ b", []),
        ("- ```\n  a\n  ```\n- b", "• \na\n• b", [("pre", "a")]),
        ("a\n\n---\n\nb", "a\n\n──────────\n\nb", []),
        ("a  \nb\nc", "a\nb\nc", []),
        ("```\n\n    a\n  b\n\n```", "    a\n  b", [("pre", "    a\n  b")]),
        (
            "| a | b |\n|---|--:|\n| `c` | 10 |",
            "a |  b\n--|---\nc | 10",
            [("pre", "a |  b\n--|---\nc | 10")],
        ),
        ("😀 **𝒳y** `e\u0301`", "😀 𝒳y e\u0301", [("bold", "𝒳y"), ("code", "e\u0301")]),
    ],
)
def test_each_form_has_its_look(source: str, text: str, found: list[tuple[str, str]]) -> None:
    assert only(source) == (text, found)
    assert_sound(render(Reply(text=source))[0])


def test_code_blocks_name_their_language() -> None:
    [part] = render(Reply(text="```c++ x\na\n```"))
    assert part.body["entities"] == [{"type": "pre", "offset": 0, "length": 1, "language": "c++"}]


def test_more_than_a_hundred_entities_make_a_second_message() -> None:
    parts = render(Reply(text="\n".join(f"- **b{number}** text" for number in range(150))))
    assert [len(part.body["entities"]) for part in parts] == [100, 50]


def test_a_rule_alone_is_visible() -> None:
    assert not blank(write((Rule(),)).text)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://x.org", True),
        ("http://x.org:8080/a?b=c#d", True),
        ("https://192.168.0.1/", True),
        ("mailto:a@x.org", False),
        ("ftp://x.org", False),
        ("http://localhost/", False),
        ("http://x.org:99999/", False),
        ("http://[x.org", False),
        ("//x.org/a", False),
        ("#a", False),
    ],
)
def test_only_addresses_that_the_platform_takes_are_links(url: str, expected: bool) -> None:
    assert linkable(url) is expected


# --- replies --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["", " \n ", "\u200b", "&nbsp;", "```\n\n```", "<br>", ">", "#"])
def test_an_answer_without_anything_to_show_says_so(source: str) -> None:
    assert render(Reply(text=source)) == (Part(body={"text": texts.EMPTY, "entities": []}),)


def test_a_short_text_is_the_caption_of_the_only_file() -> None:
    [part] = render(Reply(text="**Here** it is", files=(a_file("a.webp", "image/webp"),)))
    assert part == Part(
        kind=PartKind.FILE,
        body={
            "path": "/files/a.webp",
            "name": "a.webp",
            "media_type": "image/webp",
            "as": "photo",
            "caption": "Here it is",
            "caption_entities": [{"type": "bold", "offset": 0, "length": 4}],
        },
    )


@pytest.mark.parametrize(
    "reply",
    [
        Reply(text="two", files=(a_file("1.pdf"), a_file("2.pdf"))),
        Reply(text="card", files=(a_file(),), card=Card(text="more")),
        Reply(text="😀" * 513, files=(a_file(),)),
    ],
)
def test_else_the_text_goes_first_and_files_have_no_caption(reply: Reply) -> None:
    first, *files = render(reply)
    assert first.kind is PartKind.TEXT
    assert [part.kind for part in files] == [PartKind.FILE] * len(reply.files)
    assert not any("caption" in part.body for part in files)


@pytest.mark.parametrize(
    ("media_type", "sent_as"),
    [("image/jpeg", "photo"), ("image/gif", "photo"), ("image/svg+xml", "document"), ("text/plain", "document")],
)
def test_only_known_images_are_photos(media_type: str, sent_as: str) -> None:
    [part] = render(Reply(files=(a_file("x", media_type),)))
    assert part.body["as"] == sent_as


def test_buttons_stand_on_the_last_text() -> None:
    parts = render(Reply(text="word " * 2000, card=Card(text="Shall I?", actions=(an_action("Yes", "/yes"),))))
    assert len(parts) > 2
    assert [("reply_markup" in part.body) for part in parts] == [False] * (len(parts) - 1) + [True]
    assert parts[-1].body["text"].endswith("Shall I?")


def test_buttons_without_a_text_get_one() -> None:
    [part] = render(Reply(card=Card(actions=(an_action(),))))
    assert part.body["text"] == texts.CHOOSE


def test_a_card_without_anything_says_so() -> None:
    assert texts_of(Reply(card=Card())) == [texts.EMPTY]


def test_short_buttons_share_a_row_and_styles_are_the_platforms() -> None:
    card = Card(
        actions=(
            an_action("Yes", "/yes", Style.PRIMARY),
            an_action("No", "/no", Style.DANGER),
            an_action("Something that needs more room", "/something"),
        )
    )
    assert keyboard(card) == [
        [
            {"text": "Yes", "callback_data": "/yes", "style": "primary"},
            {"text": "No", "callback_data": "/no", "style": "danger"},
        ],
        [{"text": "Something that needs more room", "callback_data": "/something"}],
    ]


def test_a_click_says_the_word_of_its_button() -> None:
    [[button]] = keyboard(Card(actions=(an_action("Model", "/model gpt-5"),)))
    assert control_word(button["callback_data"]) == "/model gpt-5"


def test_what_no_button_can_carry_is_told_to_be_typed() -> None:
    word = "/model " + "ü" * 40
    card = Card(actions=(an_action("Long *one*", word), an_action("Short", "/a")))
    assert [button["text"] for row in keyboard(card) for button in row] == ["Short"]
    assert write(card_blocks(card)).text == f"• Long *one*: type {word}"


def test_at_most_a_hundred_buttons_are_sent_and_the_others_told() -> None:
    card = Card(actions=tuple(an_action(f"B{number}", f"/b {number}") for number in range(103)))
    rows = keyboard(card)
    assert sum(len(row) for row in rows) == 100 and max(len(row) for row in rows) <= 8
    assert [line for line in write(card_blocks(card)).text.split("\n") if "type" in line] == [
        f"• B{number}: type /b {number}" for number in (100, 101, 102)
    ]


def test_a_label_is_cut_between_characters_and_a_keyboard_stays_within_its_bytes() -> None:
    family = "👩‍👩‍👧"
    card = Card(actions=tuple(an_action(f"{number} {family * 40}", f"/b {number}") for number in range(60)))
    buttons = [button for row in keyboard(card) for button in row]
    assert all(button["text"].endswith("👧…") and len(button["text"]) <= 60 for button in buttons)
    assert len(orjson.dumps(keyboard(card))) <= 10_240
    typed = [line for line in write(card_blocks(card)).text.split("\n") if ": type /b " in line]
    assert 0 < len(typed) == 60 - len(buttons)


def test_fields_and_deadline_of_a_card_are_told() -> None:
    card = Card(
        text="Please **fill in**",
        fields=(
            Field(name="n", label="Name", placeholder="first and last"),
            Field(name="c", label="Colour", kind=FieldKind.CHOICE, options=(Option(label="red", value="r"),)),
            Field(name="d", label="Day_of_month", kind=FieldKind.DATE),
        ),
        deadline=datetime(2026, 3, 1, 12, 30, tzinfo=UTC),
    )
    [text] = texts_of(Reply(card=card))
    assert text == (
        "Please fill in\n\n• Name: first and last\n• Colour: red\n• Day_of_month:\n\nOpen until 2026-03-01 12:30 UTC"
    )


# --- previews and plainer forms -----------------------------------------------------------------------------


def test_a_growing_answer_shows_what_there_is() -> None:
    assert preview("**bold** and **op").body["text"] == "bold and **op"
    assert preview("").body == {"text": texts.PLACEHOLDER, "entities": []}


@pytest.mark.parametrize("source", ["word " * 3000, "```\n" + "code\n" * 3000, "x" * 100_000])
def test_a_long_preview_is_one_message_that_ends_with_an_ellipsis(source: str) -> None:
    part = preview(source)
    assert_sound(part)
    assert part.body["text"].endswith("\n…")
    assert units(part.body["text"]) > 3900


def test_a_refused_photo_becomes_a_document_without_entities() -> None:
    [photo] = render(Reply(text="[see](https://x.org)", files=(a_file("a.png", "image/png"),)))
    plain = plainer(photo)
    assert plain is not None
    assert plain.kind is PartKind.FILE
    assert (plain.body["as"], plain.body["caption"], plain.body["caption_entities"]) == (
        "document",
        "see (https://x.org)",
        [],
    )
    assert plainer(plain) is None


def test_the_plainer_form_keeps_the_buttons() -> None:
    [part] = render(Reply(text="**a**", card=Card(actions=(an_action(),))))
    plain = plainer(part)
    assert plain is not None and plain.body["reply_markup"] == part.body["reply_markup"]


def test_the_plainer_form_of_a_full_message_leaves_out_addresses_that_do_not_fit() -> None:
    [part] = render(Reply(text="[a](https://x.org) " + "b" * 4090))
    plain = plainer(part)
    assert plain is not None and plain.body["text"] == part.body["text"]


# --- the judge itself ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entities", "problem"),
    [
        ([("bold", 0, 0)], "bold at 0..0"),
        ([("bold", 6, 9)], "bold at 6..15"),
        ([("bold", 0, 3)], "cuts a character apart"),
        ([("italic", 0, 6)], "blanks at its edge"),
        ([("bold", 4, 1), ("bold", 0, 1)], "not sorted"),
        ([("bold", 0, 5), ("italic", 4, 4)], "overlap"),
        ([("code", 0, 5), ("bold", 0, 1)], "code holds another"),
        ([("bold", 0, 5), ("code", 0, 1)], "code inside another"),
        ([("blockquote", 0, 5), ("blockquote", 0, 1)], "same type nested"),
        ([("pink", 0, 1)], "unknown type"),
    ],
)
def test_the_judge_finds_what_is_wrong(entities: list[tuple[str, int, int]], problem: str) -> None:
    text = "ab😀e ghi"
    given_entities = [{"type": kind, "offset": offset, "length": length} for kind, offset, length in entities]
    assert any(problem in found for found in violations(text, given_entities))
