"""The parse modes, judged by what the documentation promises."""

from __future__ import annotations

import pytest

from adapters.telegram.simulator.entities import Styled, detect
from adapters.telegram.simulator.html_mode import parse_html
from adapters.telegram.simulator.markdown_mode import parse_markdown, parse_markdown_v2
from adapters.telegram.simulator.refusals import Refusal
from adapters.telegram.simulator.rendered import html_of


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("plain", "plain"),
        (
            "*bold* _italic_ __under__ ~strike~ ||secret||",
            "<b>bold</b> <i>italic</i> <u>under</u> <s>strike</s> <tg-spoiler>secret</tg-spoiler>",
        ),
        ("*bold _both_*", "<b>bold <i>both</i></b>"),
        (r"1\.5 \- \*no\*", "1.5 - *no*"),
        ("`a-b.c!`", "<code>a-b.c!</code>"),
        ("```sh\necho \\\\ done.\n```", '<pre><code class="language-sh">echo \\ done.\n</code></pre>'),
        ("```\nx=1```", "<pre>x=1</pre>"),
        (">one\n>two\nafter", "<blockquote>one\ntwo</blockquote>\nafter"),
        (">one\n>two||\nafter", "<blockquote expandable>one\ntwo</blockquote>\nafter"),
        (
            r"[Go](https://en.wikipedia.org/wiki/Go_(programming_language\)) \(see also\)\.",
            '<a href="https://en.wikipedia.org/wiki/Go_(programming_language)">Go</a> (see also).',
        ),
        ("😀 *b*", "😀 <b>b</b>"),
        ("**", ""),
    ],
)
def test_b61_b62_markdown_v2_shows(source: str, shown: str) -> None:
    assert html_of(parse_markdown_v2(source)) == shown


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("v1.0", r"Character '.' is reserved and must be escaped with the preceding '\'"),
        ("a > b", r"Character '>' is reserved and must be escaped with the preceding '\'"),
        ("é *open", "Can't find end of Bold entity at byte offset 3"),
        ("*a _b*", "Can't find end of Bold entity at byte offset 5"),
        ("`open", "Can't find end of Code entity at byte offset 0"),
        ("```open", "Can't find end of Pre entity at byte offset 0"),
        ("[a](https://x.y", "Can't find end of a URL at byte offset 3"),
        ("[a", "Can't find end of TextUrl entity at byte offset 0"),
    ],
)
def test_markdown_v2_refuses(source: str, complaint: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_markdown_v2(source)
    assert caught.value.description == f"Bad Request: can't parse entities: {complaint}"


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("<b>a</b> <i>b</i> <u>c</u> <s>d</s>", "<b>a</b> <i>b</i> <u>c</u> <s>d</s>"),
        ("<strong>a &lt; b &amp;&amp; c &gt; d</strong>", "<b>a &lt; b &amp;&amp; c &gt; d</b>"),
        ('<a href="https://a.b/?x=1&amp;y=2">l</a>', '<a href="https://a.b/?x=1&amp;y=2">l</a>'),
        ('<pre><code class="language-py">x</code></pre>', '<pre><code class="language-py">x</code></pre>'),
        ("<blockquote expandable>q</blockquote>", "<blockquote expandable>q</blockquote>"),
        ('<span class="tg-spoiler">s</span>', "<tg-spoiler>s</tg-spoiler>"),
        ("&#128512; &euro; &", "😀 &amp;euro; &amp;"),
        ('<a href="nonsense">l</a>', "l"),
    ],
)
def test_html_shows(source: str, shown: str) -> None:
    assert html_of(parse_html(source)) == shown


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("if a < b && c > d", 'Unsupported start tag "" at byte offset 5'),
        ("line one<br>line two", 'Unsupported start tag "br" at byte offset 8'),
        ("<span>x</span>", 'Unsupported start tag "span" at byte offset 0'),
        ("<b>open", 'Can\'t find end tag corresponding to start tag "b"'),
        ("<b><i>x</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("é <b", "Unclosed start tag at byte offset 3"),
    ],
)
def test_b07_html_refuses(source: str, complaint: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_html(source)
    assert caught.value.description == f"Bad Request: can't parse entities: {complaint}"


def test_the_older_markdown() -> None:
    assert html_of(parse_markdown("*a* _b_ `c` [d](https://e.f) \\_")) == (
        '<b>a</b> <i>b</i> <code>c</code> <a href="https://e.f">d</a> _'
    )
    with pytest.raises(Refusal, match="Can't find end of the entity starting at byte offset 4"):
        parse_markdown("snak_case")


def test_the_server_finds_mentions_commands_and_addresses() -> None:
    text = "/run@some_bot 😀 @ann_b a@b.com #tag https://x.y/z. example.com no/path 3/4"
    styled = detect(Styled(text=text))
    data = text.encode("utf-16-le")
    found = [
        (entity["type"], data[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le"))
        for entity in styled.entities
    ]
    assert found == [
        ("bot_command", "/run@some_bot"),
        ("mention", "@ann_b"),
        ("email", "a@b.com"),
        ("hashtag", "#tag"),
        ("url", "https://x.y/z"),
        ("url", "example.com"),
    ]


def test_nothing_is_found_inside_code() -> None:
    assert detect(parse_html("<code>/run @ann</code>")).entities == ({"type": "code", "offset": 0, "length": 9},)
