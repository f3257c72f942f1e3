"""The parse modes `MarkdownV2` and `Markdown`: https://core.telegram.org/bots/api#markdownv2-style"""

from __future__ import annotations

from adapters.telegram.simulator.entities import Styled, is_address
from adapters.telegram.simulator.markup import Builder, Open

_RESERVED = frozenset("_*[]()~`>#+-=|{}.!")
_NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "code": "Code",
    "pre": "Pre",
    "text_link": "TextUrl",
    "custom_emoji": "CustomEmoji",
}
_MARKS = {
    "bold": "*",
    "italic": "_",
    "underline": "__",
    "strikethrough": "~",
    "spoiler": "||",
    "code": "`",
    "pre": "```",
    "text_link": "]",
    "custom_emoji": "]",
}
_BEGIN = (("__", "underline"), ("_", "italic"), ("*", "bold"), ("~", "strikethrough"), ("||", "spoiler"))


def parse_markdown_v2(source: str) -> Styled:
    """Return what a MarkdownV2 text shows; raises the server's refusal."""
    return _V2(source).parse()


class _V2:
    def __init__(self, source: str) -> None:
        self._out = Builder(source)
        self._source = source
        self._quote: Open | None = None
        self._expandable = False

    def parse(self) -> Styled:
        out = self._out
        while out.place < len(self._source):
            self._step(self._source[out.place])
        for opened in reversed(out.stack):
            raise out.error(f"Can't find end of {_NAMES[opened.kind]} entity at byte offset {out.byte(opened.source)}")
        self._end_quote()
        return out.result()

    def _step(self, char: str) -> None:
        out = self._out
        if char == "\\" and self._escapes():
            out.add(self._source[out.place + 1])
            out.place += 2
        elif out.inside in ("code", "pre"):
            self._verbatim(char)
        elif char == "\n":
            self._newline()
        elif char not in _RESERVED:
            out.add(char)
            out.place += 1
        elif not self._ends():
            self._begin(char)

    def _escapes(self) -> bool:
        following = self._source[self._out.place + 1 : self._out.place + 2]
        return bool(following) and 0 < ord(following) <= 126

    def _verbatim(self, char: str) -> None:
        if not self._ends():
            if char == "`" and self._out.inside == "code":
                raise self._out.error("Can't find end of Code entity")
            self._out.add(char)
            self._out.place += 1

    def _newline(self) -> None:
        out = self._out
        out.place += 1
        goes_on = self._source.startswith(">", out.place)
        if self._quote is not None and not goes_on:
            self._end_quote()
        out.add("\n")
        if self._quote is not None:
            out.place += 1

    def _end_quote(self) -> None:
        quote, self._quote = self._quote, None
        if quote is not None:
            quote.kind = "expandable_blockquote" if self._expandable else "blockquote"
            self._out.keep(quote)
        self._expandable = False

    def _ends(self) -> bool:
        """Close the innermost entity if its mark stands here."""
        out = self._out
        mark = _MARKS.get(out.inside)
        if mark is None or not self._source.startswith(mark, out.place):
            return False
        if out.inside == "italic" and self._source.startswith("__", out.place):
            return False
        opened = out.stack.pop()
        out.place += len(mark)
        if opened.kind in ("text_link", "custom_emoji"):
            self._end_link(opened)
        elif opened.kind == "pre" and opened.argument:
            out.keep(opened, language=opened.argument)
        else:
            out.keep(opened)
        return True

    def _end_link(self, opened: Open) -> None:
        out = self._out
        if not self._source.startswith("(", out.place):
            if opened.kind == "custom_emoji":
                raise out.error(
                    f"Custom emoji entity must contain a tg://emoji URL at byte offset {out.byte(out.place)}"
                )
            return
        url = self._url()
        if opened.kind == "custom_emoji":
            out.keep(opened, custom_emoji_id=url.rpartition("id=")[2])
        elif is_address(url):
            out.keep(opened, url=url)

    def _url(self) -> str:
        out = self._out
        begin = out.place
        pieces: list[str] = []
        out.place += 1
        while out.place < len(self._source):
            char = self._source[out.place]
            if char == ")":
                out.place += 1
                return "".join(pieces)
            if char == "\\" and self._escapes():
                out.place += 1
                char = self._source[out.place]
            pieces.append(char)
            out.place += 1
        raise out.error(f"Can't find end of a URL at byte offset {out.byte(begin)}")

    def _begin(self, char: str) -> None:
        out = self._out
        if char == "`":
            self._begin_code()
        elif char == "[":
            out.push("text_link")
        elif char == "!" and self._source.startswith("![", out.place):
            out.push("custom_emoji", width=2)
        elif char == ">" and self._quote is None and out.at_line_start:
            self._quote = Open(kind="blockquote", source=out.place, start=out.length)
            out.place += 1
        elif self._quote is not None and self._is_fold_mark():
            self._expandable = True
            out.place += 2
        else:
            self._begin_style(char)

    def _is_fold_mark(self) -> bool:
        place = self._out.place
        return self._source.startswith("||", place) and self._source[place + 2 : place + 3] in ("", "\n")

    def _begin_style(self, char: str) -> None:
        for mark, kind in _BEGIN:
            if self._source.startswith(mark, self._out.place):
                self._out.push(kind, width=len(mark))
                return
        raise self._out.error(f"Character '{char}' is reserved and must be escaped with the preceding '\\'")

    def _begin_code(self) -> None:
        out = self._out
        if not self._source.startswith("```", out.place):
            out.push("code")
            return
        line = self._source[out.place + 3 :].split("\n", 1)
        word = line[0]
        is_language = len(line) == 2 and word != "" and not any(char.isspace() or char == "`" for char in word)
        begin = 3 + len(word) if is_language else 3
        out.push("pre", word if is_language else "", width=begin)
        if self._source.startswith("\n", out.place):
            out.place += 1


def parse_markdown(source: str) -> Styled:
    """Return what a text of the legacy mode shows: https://core.telegram.org/bots/api#markdown-style"""
    out = Builder(source)
    while out.place < len(source):
        char = source[out.place]
        if char == "\\" and source[out.place + 1 : out.place + 2] in ("_", "*", "`", "["):
            out.add(source[out.place + 1])
            out.place += 2
        elif char in "_*`[":
            _legacy_entity(out, char)
        else:
            out.add(char)
            out.place += 1
    return out.result()


def _legacy_entity(out: Builder, char: str) -> None:
    source, begin = out.source, out.place
    mark = "```" if source.startswith("```", begin) else {"[": "]"}.get(char, char)
    end = source.find(mark, begin + len(mark))
    if end < 0:
        raise out.error(f"Can't find end of the entity starting at byte offset {out.byte(begin)}")
    kind = {"_": "italic", "*": "bold", "`": "code", "]": "text_link", "```": "pre"}[mark]
    opened = Open(kind=kind, source=begin, start=out.length)
    content = source[begin + len(mark) : end]
    out.place = end + len(mark)
    if kind == "pre":
        content = content.removeprefix("\n")
    out.add(content)
    if kind != "text_link":
        out.keep(opened)
    elif source.startswith("(", out.place) and (close := source.find(")", out.place)) > 0:
        url = source[out.place + 1 : close]
        out.place = close + 1
        if is_address(url):
            out.keep(opened, url=url)
