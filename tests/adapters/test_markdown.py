"""Markdown becomes the tree it says, whatever it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters._shared.characters import blank, boundary, columns
from adapters._shared.markdown import literal, parse, parse_in_full
from adapters._shared.plain import inline_text
from adapters._shared.tables import aligned
from adapters._shared.tree import (
    Align,
    Block,
    Blocks,
    Break,
    Code,
    CodeBlock,
    Heading,
    Image,
    Inlines,
    Item,
    Link,
    List,
    Mark,
    Marked,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
)
from adapters._shared.utf16 import offsets, units
from tests.support.markdown import Said, documents, is_in_order, letters, noise


def said(text: str) -> Paragraph:
    return Paragraph(children=(Text(text=text),))


def spelled(blocks: Blocks) -> str:
    """Return every visible character of a tree."""
    return "\n".join(_spelled(block) for block in blocks)


def _spelled(block: Block) -> str:
    match block:
        case Paragraph() | Heading():
            return inline_text(block.children)
        case CodeBlock():
            return block.text
        case Quote():
            return spelled(block.children)
        case List():
            return "\n".join(spelled(item.children) for item in block.items)
        case Table():
            return "\n".join(inline_text(cell) for row in (block.header, *block.rows) for cell in row)
        case Rule():
            return ""


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("", ()),
        ("hello", (said("hello"),)),
        ("one\ntwo", (Paragraph(children=(Text(text="one"), Break(), Text(text="two"))),)),
        ("## Title", (Heading(level=2, children=(Text(text="Title"),)),)),
        ("---", (Rule(),)),
        ("> a\n> > b", (Quote(children=(said("a"), Quote(children=(said("b"),)))),)),
        (
            "a **b *c*** ~~d~~",
            (
                Paragraph(
                    children=(
                        Text(text="a "),
                        Marked(
                            mark=Mark.STRONG,
                            children=(Text(text="b "), Marked(mark=Mark.EMPHASIS, children=(Text(text="c"),))),
                        ),
                        Text(text=" "),
                        Marked(mark=Mark.STRIKE, children=(Text(text="d"),)),
                    )
                ),
            ),
        ),
        ("```py title\nx\n```", (CodeBlock(text="x", language="py"),)),
        ("```\n\n  x\n\n```", (CodeBlock(text="\n  x\n"),)),
        ("![a b](https://x.org/i.png)", (Paragraph(children=(Image(url="https://x.org/i.png", alt="a b"),)),)),
        (
            "<https://x.org>",
            (Paragraph(children=(Link(url="https://x.org", children=(Text(text="https://x.org"),)),)),),
        ),
        (
            "[](https://x.org)",
            (Paragraph(children=(Link(url="https://x.org", children=(Text(text="https://x.org"),)),)),),
        ),
        (
            "3. a\n4. b",
            (List(start=3, items=(Item(children=(said("a"),)), Item(children=(said("b"),)))),),
        ),
        ("- a\n\n- b", (List(tight=False, items=(Item(children=(said("a"),)), Item(children=(said("b"),)))),)),
        (
            "- [ ] a\n- [X] b\n- \\[ ] c\n- [ ]d",
            (
                List(
                    items=(
                        Item(children=(said("a"),), checked=False),
                        Item(children=(said("b"),), checked=True),
                        Item(children=(said("[ ] c"),)),
                        Item(children=(said("[ ]d"),)),
                    )
                ),
            ),
        ),
        (
            "| a | b |\n|:-:|--:|\n| c `|` |",
            (
                Table(
                    header=((Text(text="a"),), (Text(text="b"),)),
                    rows=(((Text(text="c `"),), (Text(text="`"),)),),
                    aligns=(Align.CENTER, Align.RIGHT),
                ),
            ),
        ),
    ],
)
def test_a_text_becomes_its_tree(source: str, tree: Blocks) -> None:
    assert parse(source) == tree


@pytest.mark.parametrize(
    ("source", "children"),
    [
        ("<div>", (Text(text="<div>"),)),
        ("a <think> b", (Text(text="a <think> b"),)),
        ("a<br>b<BR />c", (Text(text="a"), Break(hard=True), Text(text="b"), Break(hard=True), Text(text="c"))),
        ("a<br>\nb", (Text(text="a"), Break(hard=True), Text(text="b"))),
        ("<!-- note -->", (Text(text="<!-- note -->"),)),
        ("[x](javascript:alert)", (Text(text="[x](javascript:alert)"),)),
        ("a &lt; b &#10; c", (Text(text="a < b "), Break(), Text(text=" c"))),
        ("a\x00\x07b\ud800", (Text(text="ab\N{REPLACEMENT CHARACTER}"),)),
        ("`a  b`", (Code(text="a  b"),)),
    ],
)
def test_html_and_odd_characters_stay_visible_text(source: str, children: Inlines) -> None:
    assert parse(source) == (Paragraph(children=children),)


def test_b63_longer_fences_hold_shorter_ones() -> None:
    assert parse("````md\n# T\n```py\nx=1\n```\n````\nafter") == (
        CodeBlock(text="# T\n```py\nx=1\n```", language="md"),
        said("after"),
    )
    assert parse("the syntax is ```like this``` inline") == (
        Paragraph(children=(Text(text="the syntax is "), Code(text="like this"), Text(text=" inline"))),
    )
    assert parse("```py\nx=1") == (CodeBlock(text="x=1", language="py"),)


@pytest.mark.parametrize(
    "source", ["> " * 300 + "deep", "- " * 300 + "deep", "*a " * 3000 + "deep", "[" * 3000 + "deep"]
)
def test_nothing_is_lost_however_deep_it_lies(source: str) -> None:
    assert "deep" in spelled(parse(source))


@given(st.from_regex(r"[a-zé][a-zé .,:;!?()'\"|#+=0-9-]*", fullmatch=True) | noise)
def test_the_short_cuts_change_nothing(text: str) -> None:
    assert parse(text) == parse_in_full(text)


@given(st.text(alphabet="ab *_`[]()<>!&\\~c/:.", max_size=40).map(lambda text: "x" + text))
def test_the_short_cut_for_one_line_changes_nothing(text: str) -> None:
    assert parse(text) == parse_in_full(text)


@given(documents)
@settings(max_examples=150)
def test_every_word_is_in_the_tree(document: Said) -> None:
    assert is_in_order(letters("".join(document.words)), letters(spelled(parse(document.source))))


@given(noise)
def test_literal_text_says_itself(text: str) -> None:
    visible = inline_text(literal(text))
    assert [char for char in text if char.isalnum()] == [char for char in visible if char.isalnum()]


def test_a_table_is_aligned_by_what_readers_see() -> None:
    [table] = parse("| a | größe |\n|---|--:|\n| 日本 | 1 |\n| [x](https://x.org) | `12` |")
    assert isinstance(table, Table)
    assert (
        aligned(table)
        == "a                 | größe\n------------------|------\n日本              |     1\nx (https://x.org) |    12"
    )


def test_a_wide_cell_does_not_widen_the_other_rows() -> None:
    [table] = parse(f"| a | b |\n|---|---|\n| {'w' * 500} | 1 |\n| c | 2 |")
    assert isinstance(table, Table)
    assert len(aligned(table).split("\n")[3]) < 50


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_offsets_count_as_the_encoding_does(text: str) -> None:
    counted = offsets(text, range(len(text) + 1))
    assert counted == {place: len(text[:place].encode("utf-16-le")) // 2 for place in range(len(text) + 1)}
    assert units(text) == counted[len(text)]


@pytest.mark.parametrize(
    ("text", "at", "place"),
    [("abc", 2, 2), ("ae\u0301b", 2, 1), ("a👩\u200d👩b", 3, 1), ("🇩🇪🇫🇷", 3, 2), ("👍🏽", 1, 1), ("a👍🏽", 2, 1)],
)
def test_a_cut_spares_visible_characters(text: str, at: int, place: int) -> None:
    assert boundary(text, at) == place


def test_blank_is_what_shows_nothing() -> None:
    assert blank("") and blank(" \n\u200b\u2800\u3164\u0301")
    assert not blank(" .") and not blank("中")


def test_columns_are_those_of_a_terminal() -> None:
    assert [columns(text) for text in ("abc", "日本", "e\u0301", "👍")] == [3, 4, 1, 2]
