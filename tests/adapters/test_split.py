"""Any tree fits any limit, each piece whole in itself, nothing lost."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters._shared import inlines
from adapters._shared.html import html
from adapters._shared.markdown import parse
from adapters._shared.search import most
from adapters._shared.split import split
from adapters._shared.tree import (
    Blocks,
    Code,
    CodeBlock,
    Heading,
    Image,
    Link,
    List,
    Mark,
    Marked,
    Paragraph,
    Quote,
    Table,
    Text,
)
from tests.support.markdown import Said, documents, is_in_order, letters, noise


def size(blocks: Blocks) -> int:
    """Measure by the HTML, where every mark costs something, so that marks must be given up for small limits."""
    return len(html(blocks))


def pieces_of(source: str, limit: int) -> tuple[Blocks, ...]:
    return split(parse(source), limit, size)


def shown(pieces: tuple[Blocks, ...]) -> str:
    return "\n".join(unescape(re.sub(r"<[^>]*>", "", html(piece))) for piece in pieces)


@given(documents, st.integers(40, 4096))
@settings(max_examples=100, deadline=None)
def test_any_document_fits_any_limit_with_every_word_in_order(document: Said, limit: int) -> None:
    pieces = pieces_of(document.source, limit)
    assert all(size(piece) <= limit for piece in pieces)
    assert is_in_order(letters("".join(document.words)), letters(shown(pieces)))


@given(noise, st.integers(40, 200))
@settings(max_examples=100, deadline=None)
def test_noise_fits_too(text: str, limit: int) -> None:
    assert all(size(piece) <= limit for piece in pieces_of(text, limit))


@given(documents)
@settings(max_examples=50, deadline=None)
def test_what_fits_is_not_touched(document: Said) -> None:
    tree = parse(document.source)
    assert split(tree, size(tree), size) == ((tree,) if tree else ())


@given(st.integers(0, 500), st.integers(0, 600), st.integers(1, 64))
def test_the_search_finds_the_largest_that_fits(count: int, edge: int, step: int) -> None:
    assert most(count, lambda number: number <= edge, step=step) == min(count, edge)


def test_nothing_makes_no_piece() -> None:
    assert pieces_of("", 100) == ()


def test_pieces_break_between_paragraphs() -> None:
    source = "\n\n".join("word " * 15 + str(number) for number in range(6))
    pieces = pieces_of(source, 200)
    assert tuple(block for piece in pieces for block in piece) == parse(source)


def test_a_title_goes_with_what_follows() -> None:
    pieces = pieces_of("a " * 30 + "\n\n## Title\n\n" + "b " * 40, 110)
    assert [type(piece[0]) for piece in pieces] == [Paragraph, Heading]


def test_a_title_does_not_stand_alone_before_a_long_paragraph() -> None:
    pieces = pieces_of("## Title\n\n" + "b " * 95, 200)
    assert [type(block) for block in pieces[0]] == [Heading, Paragraph]


def test_a_long_paragraph_is_cut_behind_a_sentence() -> None:
    pieces = pieces_of("One sentence is here. " * 12, 150)
    assert len(pieces) > 1
    assert all(inlines.spelled(block.children).endswith("here.") for [block] in pieces if isinstance(block, Paragraph))


def test_words_stay_whole_where_they_can() -> None:
    words = [f"word{number}" for number in range(200)]
    assert shown(pieces_of(" ".join(words), 100)).split() == words


def test_a_long_word_is_cut_between_visible_characters() -> None:
    pieces = pieces_of("e\u0301" * 300, 100)
    assert not any(text.startswith("\u0301") for text in shown(pieces).split("\n"))


def test_marks_and_links_are_whole_in_every_piece() -> None:
    pieces = pieces_of("**bold " + "word " * 40 + "[link " + "text " * 60 + "](https://x.org) end**", 200)
    tops = [block.children[0] for [block] in pieces if isinstance(block, Paragraph)]
    assert len(tops) == len(pieces) > 2
    assert all(isinstance(top, Marked) and top.mark is Mark.STRONG for top in tops)
    links = [node for top in tops if isinstance(top, Marked) for node in top.children if isinstance(node, Link)]
    assert len(links) > 1
    assert {link.url for link in links} == {"https://x.org"}


def test_a_long_code_block_stays_code_and_loses_no_line() -> None:
    code = "\n".join(f"    line {number}" for number in range(100))
    pieces = pieces_of(f"```py\n{code}\n```", 300)
    blocks = [block for [block] in pieces if isinstance(block, CodeBlock)]
    assert len(blocks) == len(pieces) > 3
    assert "\n".join(block.text for block in blocks) == code
    assert {block.language for block in blocks} == {"py"}


def test_a_code_block_is_cut_at_an_empty_line() -> None:
    code = "\n\n".join("def f():\n    return 1" for _ in range(20))
    pieces = pieces_of(f"```\n{code}\n```", 200)
    assert all(block.text.lstrip().startswith("def") for [block] in pieces if isinstance(block, CodeBlock))


def test_a_long_line_of_code_is_cut() -> None:
    pieces = pieces_of("```\n" + "x" * 1000 + "\n```", 100)
    assert "".join(block.text for [block] in pieces if isinstance(block, CodeBlock)) == "x" * 1000


def test_every_piece_of_a_table_has_its_header() -> None:
    pieces = pieces_of("| n | square |\n|---|---|\n" + "".join(f"| {n} | {n * n} |\n" for n in range(40)), 600)
    tables = [block for [block] in pieces if isinstance(block, Table)]
    assert len(tables) == len(pieces) > 2
    assert {table.header for table in tables} == {tables[0].header}
    assert sum(len(table.rows) for table in tables) == 40


def test_a_row_that_fits_no_piece_becomes_paragraphs() -> None:
    pieces = pieces_of("| name | text |\n|---|---|\n| a | b |\n| c | " + "long " * 200 + "|\n| d | e |", 300)
    kinds = [type(block) for piece in pieces for block in piece]
    assert kinds[0] is Table and kinds[-1] is Table and Paragraph in kinds
    assert letters(shown(pieces)).count("long") == 200
    assert "text: long" in shown(pieces)


def test_a_header_that_fits_no_piece_is_said_first() -> None:
    pieces = pieces_of("| " + "head " * 100 + " | b |\n|---|---|\n| c | d |", 200)
    assert letters(shown(pieces)) == "head" * 100 + "bcd"


def test_numbers_of_a_list_go_on() -> None:
    pieces = pieces_of("\n".join(f"{number}. item number {number}" for number in range(5, 45)), 300)
    lists = [block for [block] in pieces if isinstance(block, List)]
    assert len(lists) == len(pieces) > 2
    start = 5
    for block in lists:
        assert block.start == start
        start += len(block.items)
    assert start == 45


def test_a_long_item_goes_on_without_a_second_marker() -> None:
    pieces = pieces_of("1. short\n2. " + "long words here. " * 40 + "\n3. last", 250)
    lists = [block for [block] in pieces if isinstance(block, List)]
    assert [block.items[0].continued for block in lists] == [False] + [True] * (len(lists) - 1)
    assert lists[-1].items[-1].children == parse("last")
    assert lists[-1].start is not None
    assert lists[-1].start + len(lists[-1].items) - 1 == 3


def test_nested_quotes_stay_nested() -> None:
    pieces = pieces_of("> > " + "words in a quote. " * 40, 200)
    assert len(pieces) > 2
    assert all(isinstance(quote, Quote) and isinstance(quote.children[0], Quote) for piece in pieces for quote in piece)


@pytest.mark.parametrize(
    "source",
    [
        "[label](https://x.org/" + "p" * 90 + ")",
        "![label](https://x.org/" + "p" * 90 + ")",
        "> > > > > > > > label",
        "- - - - - - - - label",
        "***~~label~~***",
        "# `label`",
        "12. label",
    ],
)
def test_a_form_that_fits_nowhere_is_given_up_but_not_its_content(source: str) -> None:
    pieces = pieces_of(source, 20)
    assert all(size(piece) <= 20 for piece in pieces)
    assert "label" in letters(shown(pieces))
    assert letters(shown(pieces)).count("p") == source.count("p" * 90) * 90 + shown(pieces).count("https")


def test_one_character_may_stay_over_a_limit_that_is_too_small() -> None:
    assert pieces_of("ab", 1) == (parse("ab"),)


@pytest.mark.parametrize("at", range(12))
def test_dividing_keeps_both_sides(at: int) -> None:
    nodes = (
        Text(text="ab"),
        Marked(mark=Mark.STRONG, children=(Code(text="cd"), Link(url="u", children=(Text(text="ef"),)))),
        Image(url="i", alt="g"),
        Text(text="hi"),
    )
    before, after = inlines.divide(nodes, at)
    assert inlines.spelled(before) == inlines.spelled(nodes)[:at]
    assert inlines.spelled(before) + inlines.spelled(after) == inlines.spelled(nodes)
