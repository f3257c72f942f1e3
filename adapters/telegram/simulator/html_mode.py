"""The parse mode `HTML`: https://core.telegram.org/bots/api#html-style"""

from __future__ import annotations

import re

from adapters.telegram.simulator.entities import Styled, is_address
from adapters.telegram.simulator.markup import Builder, Open

_KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
}
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_CHARACTER = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot));?")
_TAG = re.compile(r"[^\s>]*")
_ATTRIBUTE = re.compile(r"""\s*([a-zA-Z][a-zA-Z0-9-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([a-zA-Z0-9.-]+)))?""")


def parse_html(source: str) -> Styled:
    """Return what an HTML text shows; raises the server's refusal."""
    return _Html(source).parse()


class _Html:
    def __init__(self, source: str) -> None:
        self._out = Builder(source)
        self._source = source
        self._tags: list[str] = []

    def parse(self) -> Styled:
        out = self._out
        while out.place < len(self._source):
            char = self._source[out.place]
            if char == "&":
                self._character()
            elif self._source.startswith("</", out.place):
                self._end()
            elif char == "<":
                self._begin()
            else:
                out.add(char)
                out.place += 1
        if out.stack:
            raise out.error(f'Can\'t find end tag corresponding to start tag "{self._tags[-1]}"')
        return out.result()

    def _character(self) -> None:
        out = self._out
        match = _CHARACTER.match(self._source, out.place)
        if match is None:
            out.add("&")
            out.place += 1
            return
        out.add(_decoded(match))
        out.place = match.end()

    def _begin(self) -> None:
        out = self._out
        begin = out.place
        match = _TAG.match(self._source, begin + 1)
        if match is None or match.end() == len(self._source):
            raise out.error(f"Unclosed start tag at byte offset {out.byte(begin)}")
        name = match[0].lower()
        unsupported = out.error(f'Unsupported start tag "{name}" at byte offset {out.byte(begin)}')
        if name not in _KINDS:
            raise unsupported
        attributes, end = self._attributes(begin, match.end())
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise unsupported
        out.push(_KINDS[name], self._argument(name, attributes), width=end - begin)
        self._tags.append(name)

    def _attributes(self, begin: int, place: int) -> tuple[dict[str, str], int]:
        attributes: dict[str, str] = {}
        while True:
            match = _ATTRIBUTE.match(self._source, place)
            if match is None:
                break
            value = next((group for group in match.groups()[1:] if group is not None), "")
            attributes[match[1].lower()] = _CHARACTER.sub(_decoded, value)
            place = match.end()
        rest = self._source[place:].lstrip()
        if not rest.startswith(">"):
            raise self._out.error(f"Unclosed start tag at byte offset {self._out.byte(begin)}")
        return attributes, len(self._source) - len(rest) + 1

    def _argument(self, name: str, attributes: dict[str, str]) -> str:
        if name == "code":
            return attributes.get("class", "").removeprefix("language-")
        if name == "blockquote":
            return "expandable" if "expandable" in attributes else ""
        return attributes.get("href" if name == "a" else "emoji-id", "")

    def _end(self) -> None:
        out = self._out
        begin = out.place
        match = _TAG.match(self._source, begin + 2)
        name = match[0].lower() if match else ""
        close = self._source.find(">", begin)
        if close < 0:
            raise out.error(f"Unclosed end tag at byte offset {out.byte(begin)}")
        if not self._tags:
            raise out.error(f"Unexpected end tag at byte offset {out.byte(begin)}")
        if name and name != self._tags[-1]:
            raise out.error(
                f'Unmatched end tag at byte offset {out.byte(begin)}, expected "</{self._tags[-1]}>", found "</{name}>"'
            )
        self._tags.pop()
        out.place = close + 1
        self._keep(out.stack.pop())

    def _keep(self, opened: Open) -> None:
        out = self._out
        if opened.kind == "text_link":
            if is_address(opened.argument):
                out.keep(opened, url=opened.argument)
        elif opened.kind == "custom_emoji":
            out.keep(opened, custom_emoji_id=opened.argument)
        elif opened.kind == "blockquote" and opened.argument:
            opened.kind = "expandable_blockquote"
            out.keep(opened)
        elif opened.kind == "code" and out.inside == "pre" and out.stack[-1].start == opened.start:
            # <pre><code class="language-…"> is one block with its language.
            out.stack[-1].argument = opened.argument
        elif opened.kind == "pre" and opened.argument:
            out.keep(opened, language=opened.argument)
        else:
            out.keep(opened)


def _decoded(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]
