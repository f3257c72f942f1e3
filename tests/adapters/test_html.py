"""The page shows every tree, and no text becomes markup."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters._shared.html import html
from adapters._shared.markdown import parse
from tests.support.markdown import Said, documents, is_in_order, letters, noise

_ALLOWED = {
    "p": set[str](),
    "h1": set[str](),
    "h2": set[str](),
    "h3": set[str](),
    "h4": set[str](),
    "h5": set[str](),
    "h6": set[str](),
    "pre": set[str](),
    "code": {"class"},
    "blockquote": set[str](),
    "ul": set[str](),
    "ol": {"start"},
    "li": {"class"},
    "input": {"type", "disabled", "checked"},
    "div": {"class"},
    "table": set[str](),
    "thead": set[str](),
    "tbody": set[str](),
    "tr": set[str](),
    "th": {"class"},
    "td": {"class"},
    "hr": set[str](),
    "br": set[str](),
    "strong": set[str](),
    "em": set[str](),
    "del": set[str](),
    "a": {"href", "rel"},
}
_VOID = {"input", "hr", "br"}


class _Judge(HTMLParser):
    """Reads HTML as a browser would, and notes what must not be there."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.problems: list[str] = []
        self.text: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if tag not in _ALLOWED or names - _ALLOWED[tag]:
            self.problems.append(f"<{tag} {sorted(names)}>")
        if tag == "a":
            self._check_link({name: value or "" for name, value in attrs})
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.problems.append(f"comment {data!r}")

    def handle_decl(self, decl: str) -> None:
        self.problems.append(f"declaration {decl!r}")

    def handle_pi(self, data: str) -> None:
        self.problems.append(f"instruction {data!r}")

    def _check_link(self, attrs: dict[str, str]) -> None:
        if urlsplit(attrs["href"]).scheme not in ("http", "https", "mailto"):
            self.problems.append(f"link to {attrs['href']!r}")
        if attrs.get("rel") != "noopener noreferrer nofollow":
            self.problems.append(f"rel {attrs.get('rel')!r}")
        if "a" in self._open:
            self.problems.append("link in a link")


def read(source: str) -> _Judge:
    judge = _Judge()
    judge.feed(html(parse(source)))
    judge.close()
    return judge


@given(documents)
@settings(max_examples=100, deadline=None)
def test_any_document_is_clean_html_with_every_word(document: Said) -> None:
    judge = read(document.source)
    assert judge.problems == []
    assert is_in_order(letters("".join(document.words)), letters("".join(judge.text)))


@given(noise | st.text(alphabet="<>&\"'/=![]() abhrefscriptonj:-?`", max_size=120))
@settings(max_examples=300, deadline=None)
def test_noise_is_never_markup(text: str) -> None:
    assert read(text).problems == []


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt&colon;alert(1))",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "![a](data:image/png;base64,AAAA)",
        "[a](vbscript:x)",
        "[a](//evil.example)",
        '[a](https://x.org "onmouseover=alert(1)")',
        "[a](https://x.org/\"onclick='x')",
        '```"><script>\nx\n```',
        'https://x.org/"><script>alert(1)</script>',
        "| <b> |\n|---|\n| <script> |",
        "<!-- c --><?php ?><!DOCTYPE html><![CDATA[x]]>",
        "# <h1 onclick=x>",
    ],
)
def test_attacks_stay_text(source: str) -> None:
    assert read(source).problems == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a **b** *c* ~~d~~ `e<`", "<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e&lt;</code></p>"),
        ("a\nb", "<p>a<br>\nb</p>"),
        ("## a", "<h2>a</h2>"),
        ("---", "<hr>"),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>"),
        ("```py\na < b\n```", '<pre><code class="language-py">a &lt; b\n</code></pre>'),
        ("```\na\n```", "<pre><code>a\n</code></pre>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("- a\n\n- b", "<ul>\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ul>"),
        ("3. a", '<ol start="3">\n<li>a</li>\n</ol>'),
        (
            "- [x] a\n- [ ] b",
            '<ul>\n<li class="task"><input type="checkbox" disabled checked> a</li>\n'
            '<li class="task"><input type="checkbox" disabled> b</li>\n</ul>',
        ),
        (
            "| a | b |\n|---|--:|\n| c | d |",
            '<div class="table-scroll"><table>\n<thead>\n<tr><th class="align-left">a</th>'
            '<th class="align-right">b</th></tr>\n</thead>\n<tbody>\n<tr><td class="align-left">c</td>'
            '<td class="align-right">d</td></tr>\n</tbody>\n</table></div>',
        ),
        (
            "[a](https://x.org/?b=1&c)",
            '<p><a href="https://x.org/?b=1&amp;c" rel="noopener noreferrer nofollow">a</a></p>',
        ),
        ("[a](./b)", "<p>a (./b)</p>"),
        ("![a](https://x.org/i.png)", '<p><a href="https://x.org/i.png" rel="noopener noreferrer nofollow">a</a></p>'),
        (
            "see https://x.org/a_(b)). Or",
            '<p>see <a href="https://x.org/a_(b)" rel="noopener noreferrer nofollow">https://x.org/a_(b)</a>). Or</p>',
        ),
        ("`https://x.org`", "<p><code>https://x.org</code></p>"),
    ],
)
def test_each_form_has_its_html(source: str, expected: str) -> None:
    assert html(parse(source)) == expected


def test_b63_fences_hold_what_they_hold() -> None:
    page = html(parse("````md\n# T\n```py\nx=1\n```\n````\nafter"))
    assert unescape(page) == '<pre><code class="language-md"># T\n```py\nx=1\n```\n</code></pre>\n<p>after</p>'
