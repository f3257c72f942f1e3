"""Markdown that nobody thought of: nested documents with the words that they say, and mere noise."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

_LETTERS = "abcxyzÄéßЖ中日한ا𝒳😀👩🇩"
_TAILS = ["", "", "", "\u0301", "\u200d👩", "\u0323\u0307", "🏽"]

words = st.builds(
    lambda letters, tail: letters + tail,
    st.text(alphabet=_LETTERS, min_size=1, max_size=12),
    st.sampled_from(_TAILS),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """Markdown source, with the words that a reader must see, in order."""

    lines: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def source(self) -> str:
        return "\n".join(self.lines)


def _joined(parts: list[Said], between: tuple[str, ...] = ()) -> Said:
    lines: list[str] = []
    for part in parts:
        lines += (*between, *part.lines) if lines else part.lines
    return Said(lines=tuple(lines), words=tuple(word for part in parts for word in part.words))


def _wrapped(template: str) -> st.SearchStrategy[Said]:
    return st.lists(words, min_size=1, max_size=3).map(
        lambda said: Said(lines=(template.format(" ".join(said)),), words=tuple(said))
    )


_pieces = st.one_of(
    _wrapped("{}"),
    _wrapped("**{}**"),
    _wrapped("*{}*"),
    _wrapped("~~{}~~"),
    _wrapped("`{}`"),
    _wrapped("***{}***"),
    _wrapped("[{}](https://example.com/a_(b))"),
    _wrapped("[{}](./relative)"),
    _wrapped("![{}](https://example.com/i.png)"),
    _wrapped("[**{}** `c`](https://example.com)"),
    _wrapped("**`{}` and**"),
    _wrapped("&lt;{}&amp;"),
    _wrapped("<b>{}</b><br>"),
)


def _line_of(parts: list[Said]) -> Said:
    return Said(
        lines=(" ".join(line for part in parts for line in part.lines),),
        words=tuple(word for part in parts for word in part.words),
    )


lines = st.lists(_pieces, min_size=1, max_size=8).map(_line_of)
paragraphs = st.lists(lines, min_size=1, max_size=3).map(_joined)
headings = st.builds(
    lambda level, line: Said(lines=("#" * level + " " + line.source,), words=line.words),
    st.integers(1, 6),
    lines,
)


def _fenced(fence: str, language: str, said: list[list[str]]) -> Said:
    return Said(
        lines=(fence + language, *("  " * (index % 3) + " ".join(row) for index, row in enumerate(said)), fence),
        words=tuple(word for row in said for word in row),
    )


code = st.builds(
    _fenced,
    st.sampled_from(["```", "~~~~"]),
    st.sampled_from(["", "py", "c++"]),
    st.lists(st.lists(words, max_size=4), min_size=1, max_size=8),
)


def _table(rows: list[list[Said]]) -> Said:
    width = len(rows[0])
    source = ["| " + " | ".join(cell.source for cell in row) + " |" for row in rows]
    return Said(
        lines=(source[0], "|" + " :-: |" * width, *source[1:]),
        # The header is left out: where a row fits no piece, its titles stand in front of the cells.
        words=tuple(word for row in rows[1:] for cell in row for word in cell.words),
    )


tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(_pieces, min_size=width, max_size=width), min_size=1, max_size=6).map(_table)
)


def _quoted(inner: Said) -> Said:
    return Said(lines=tuple(f"> {line}" for line in inner.lines), words=inner.words)


def _items(marker: str, inner: list[Said]) -> Said:
    indent = " " * len(marker.split("[", maxsplit=1)[0])
    shown = [
        Said(
            lines=(marker + said.lines[0], *(indent + line if line else "" for line in said.lines[1:])),
            words=said.words,
        )
        for said in inner
    ]
    return _joined(shown)


def _nested(inner: st.SearchStrategy[Said]) -> st.SearchStrategy[Said]:
    return st.one_of(
        inner.map(_quoted),
        st.builds(
            _items, st.sampled_from(["- ", "7. ", "- [x] ", "123456789) "]), st.lists(inner, min_size=1, max_size=4)
        ),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: _joined(parts, ("",))),
    )


_leaves = st.one_of(paragraphs, headings, code, tables)
documents = st.lists(st.recursive(_leaves, _nested, max_leaves=6), min_size=1, max_size=5).map(
    lambda parts: _joined(parts, ("",))
)

_noisy = st.one_of(
    st.sampled_from(list("*_`~[]()!<>|#-+=\\&;:.1 \n\n\t\"'abc/\u00a0\u0301\u200b😀\ufe0f\r\x00\ud800")),
    st.characters(),
)
noise = st.text(alphabet=_noisy, max_size=40) | st.text(alphabet=_noisy, min_size=50, max_size=300)


def letters(text: str) -> str:
    """Return the text without blanks, as a message that was cut would be read."""
    return "".join(text.split())


def is_in_order(wanted: str, text: str) -> bool:
    """Say whether each character of `wanted` stands in `text`, in this order."""
    rest = iter(text)
    return all(char in rest for char in wanted)
