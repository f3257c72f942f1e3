"""Page: talk through the page as its script does, and read what it shows."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

import orjson

from tests.support.house import SECONDS, House
from tests.support.web_page import Browser

_keys = count(1)


@dataclass
class Talk:
    """One person in one conversation of the page."""

    browser: Browser
    shown: dict[int, str] = field(default_factory=dict)
    """What each message shows, by its id, with its markup."""
    seen: list[str] = field(default_factory=list)
    """The numbers of the changes, as they came."""
    previews: list[str] = field(default_factory=list)

    async def say(self, text: str, *, files: tuple[str, ...] = ()) -> None:
        status, answer = await self.browser.say(text, key=f"key-{next(_keys):08}", files=files)
        assert status == 200, answer

    async def asks(self, text: str, words: str) -> str:
        """Say something and wait until these words are shown."""
        await self.say(text)
        return await self.sees(words)

    async def sees(self, words: str) -> str:
        await self.until(lambda: words in self.text)
        return self.text

    @property
    def text(self) -> str:
        """All that can be read, without markup."""
        return "\n".join(html.unescape(re.sub(r"<[^>]*>", "", self.shown[key])) for key in sorted(self.shown))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Follow the conversation until it shows what is wanted."""
        last = int(self.seen[-1]) if self.seen else 0
        try:
            async with asyncio.timeout(SECONDS), self.browser.follow(after=last) as events:
                while not holds():
                    self.take(await events.next())
        except TimeoutError:
            raise AssertionError(f"nothing came; the page shows: {self.text}") from None

    def take(self, event: dict[str, str]) -> None:
        """Show what an event tells."""
        data = orjson.loads(event["data"])
        if event["event"] == "preview":
            self.previews.append(data["html"])
        if event["event"] == "message":
            self.seen.append(event["id"])
            self.shown[data["id"]] = data["html"]


@asynccontextmanager
async def talk(house: House) -> AsyncIterator[Talk]:
    """Sign in by the code that the bot printed, and begin a conversation."""
    async with house.browser(house.codes[-1]) as browser:
        yield Talk(browser)
