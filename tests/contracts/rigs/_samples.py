"""Samples: what models write, with the words that a reader must see, in their order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """Markdown, and its words. A table's titles are left out: a row that fits nowhere may repeat them."""

    name: str
    text: str
    words: tuple[str, ...] = ()


def _words(prefix: str, count: int) -> tuple[str, ...]:
    return tuple(f"{prefix}{number}" for number in range(count))


def _long() -> Sample:
    words = _words("word", 3_000)
    return Sample(name="long", text=" ".join(words), words=words)


def _unbroken() -> Sample:
    text = "".join(f"{number:05}" for number in range(2_500))
    return Sample(name="one word without an end", text=text, words=(text,))


def _table(rows: int, prefix: str) -> tuple[str, tuple[str, ...]]:
    cells = [tuple(f"{prefix}{row}c{column}" for column in range(4)) for row in range(rows)]
    lines = ["| one | two | three | four |", "|:--|--:|:-:|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join(lines), tuple(cell for row in cells for cell in row)


def _tables() -> Sample:
    small, first = _table(3, "a")
    large, second = _table(300, "b")
    return Sample(
        name="tables", text=f"before\n\n{small}\n\nbetween\n\n{large}", words=("before", *first, "between", *second)
    )


def _wide_table() -> Sample:
    cells = [_words(f"r{row}w", 400) for row in range(2)]
    rows = "\n".join(f"| {' '.join(words)} | end{row} |" for row, words in enumerate(cells))
    words = (*cells[0], "end0", *cells[1], "end1")
    return Sample(name="a table of long cells", text=f"| cell | end |\n|---|---|\n{rows}", words=words)


def _fences() -> Sample:
    inner = _words("code", 900)
    body = "\n".join(f"    {word} = {{'`': '*_~'}}" for word in inner)
    item = "- item\n\n  ````md\n  ```py\n  nested\n  ```\n  ````"
    text = f"{item}\n\n> quote\n>\n> ~~~\n> quoted\n> ~~~\n\n```py\n{body}\n```"
    return Sample(name="nested fences", text=text, words=("item", "nested", "quote", "quoted", *inner))


def _open_fence() -> Sample:
    words = _words("line", 1_200)
    return Sample(name="a fence that never ends", text="```\n" + "\n".join(words), words=words)


def _astral() -> Sample:
    words = tuple(f"𝒳{number}😀👩‍👩‍👧🇩🇪" for number in range(700))
    return Sample(name="astral characters", text=" **" + " ".join(words) + "**", words=words)


def _marked() -> Sample:
    words = _words("m", 400)
    marks = ("**{}**", "*{}*", "`{}`", "~~{}~~", "[{}](https://example.com/a)", "***{}***")
    text = " ".join(marks[number % len(marks)].format(word) for number, word in enumerate(words))
    return Sample(name="more formatting than a message may have", text=text, words=words)


def _nested_lists() -> Sample:
    words = _words("deep", 60)
    text = "\n".join("  " * (number % 12) + f"- {word}" for number, word in enumerate(words))
    return Sample(name="nested lists", text=text, words=words)


def answer_of_20_000() -> Sample:
    """Return what people ask for least and models write most: prose, tables and code, 20,000 characters of them."""
    pieces: list[str] = []
    words: list[str] = []
    number = 0
    while sum(map(len, pieces)) < 20_000:
        table, cells = _table(12, f"t{number}r")
        prose, code = _words(f"p{number}w", 90), _words(f"k{number}c", 40)
        body = "\n".join(f"  {word}()" for word in code)
        pieces += [f"## head{number}\n\n{' '.join(prose)}", table, f"```py\n{body}\n```", f"1. first{number}\n2. then"]
        words += [f"head{number}", *prose, *cells, *code, f"first{number}", "then"]
        number += 1
    return Sample(name="20,000 characters with tables and code", text="\n\n".join(pieces), words=tuple(words))


GROWING = answer_of_20_000()

SAMPLES = (
    Sample(name="short", text="Hello **you**", words=("Hello", "you")),
    _long(),
    _unbroken(),
    _tables(),
    _wide_table(),
    _fences(),
    _open_fence(),
    _astral(),
    _marked(),
    _nested_lists(),
    GROWING,
    Sample(name="nothing", text=""),
    Sample(name="only blanks", text=" \n\t\n \u3000\u200b "),
    Sample(name="only markup", text="***\n\n[](https://example.com)\n\n> \n\n- \n\n```\n```"),
    Sample(name="only a comment", text="<!-- nobody sees this -->"),
    Sample(name="no character at all", text="a\x00b\ud800c", words=("a", "b", "c")),
)
