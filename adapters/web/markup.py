"""Markdown as the HTML that the page shows. Pure."""

from __future__ import annotations

from adapters._shared.html import html
from adapters._shared.markdown import parse


def markup(text: str) -> str:
    """Return safe HTML that says the text."""
    return html(parse(text))
