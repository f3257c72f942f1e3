"""Pages: templates to HTML, and the static files next to them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from adapters.web import facts, texts
from bot.command import Command
from bot.transcript import Conversation, History, Message, Side

FOLDER = Path(__file__).parent
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

# https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy
PAGE_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatPage:
    """What the chat page shows."""

    csrf: str
    name: str
    conversation: str
    title: str
    history: History
    conversations: Sequence[Conversation]
    is_new: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class StaticFile:
    """A file that is the same for everybody."""

    content: bytes
    media_type: str


class Pages:
    """Everything that the browser is shown."""

    def __init__(self, commands: Sequence[Command], upload_bytes: int) -> None:
        self._static = _read_static(FOLDER / "static")
        digest = hashlib.sha256(b"".join(file.content for file in self._static.values())).hexdigest()
        self.version = digest[:12]
        """Changes with the static files, so that browsers may keep them for ever."""
        self._templates = Environment(
            loader=FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(
            version=self.version,
            # Told in advance, so that the browser need not read one script to learn of the next.
            scripts=[name for name in self._static if name.endswith(".js")],
            commands=sorted(commands, key=lambda command: command.name),
            upload_bytes=upload_bytes,
            untitled=texts.UNTITLED,
            max_files=facts.MAX_FILES,
            max_text=facts.MAX_TEXT,
            is_person=lambda message: message.side is Side.PERSON,
        )
        self._templates.filters.update(
            # What is stored as HTML was made by `markup`, which escapes everything.
            safe_html=Markup,
            size=texts.size,
            file_url=_file_url,
            is_picture=lambda file: file["media_type"] in facts.SAFE_IMAGES,
        )

    def static(self, name: str) -> StaticFile | None:
        """Return a static file, None when there is none of this name."""
        return self._static.get(name)

    def sign_in(self, *, csrf: str, name: str = "", error: str = "") -> str:
        return self._draw("sign_in.html", csrf=csrf, name=name, error=error)

    def chat(self, page: ChatPage) -> str:
        return self._draw("chat.html", page=page)

    def message(self, message: Message) -> str:
        """Return one message, as the page and its events show it."""
        return self._draw("message.html", message=message).strip()

    def messages(self, messages: Sequence[Message]) -> str:
        return "\n".join(self.message(message) for message in messages)

    def conversations(self, conversations: Sequence[Conversation], current: str) -> str:
        return self._draw("conversations.html", conversations=conversations, current=current)

    def _draw(self, template: str, **values: Any) -> str:
        return self._templates.get_template(template).render(**values)


def _read_static(folder: Path) -> dict[str, StaticFile]:
    return {
        path.name: StaticFile(content=path.read_bytes(), media_type=MEDIA_TYPES[path.suffix])
        for path in sorted(folder.iterdir())
        if path.suffix in MEDIA_TYPES
    }


def _file_url(file: dict[str, Any]) -> str:
    return f"/chat/files/{file['id']}/{quote(file['name'], safe='')}"
