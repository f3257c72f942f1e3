"""Limits of the hosted Bot API, each with the page that says so, and the limiter of its rates."""

from __future__ import annotations

from adapters._shared.simulator.bucket import Bucket
from adapters.telegram.simulator.refusals import too_many
from bot.clock import Clock

# "1-4096 characters after entities parsing": https://core.telegram.org/bots/api#sendmessage, counted in UTF-16 code
# units as offsets are: https://core.telegram.org/api/entities#entity-length
TEXT_UNITS = 4096
# https://core.telegram.org/bots/api#sendphoto
CAPTION_UNITS = 1024
# https://limits.tginfo.me/en: entities beyond the hundredth are ignored without an error
ENTITIES = 100

# https://core.telegram.org/bots/api#inlinekeyboardbutton
CALLBACK_BYTES = 64
# The documentation gives no number; larger keyboards are answered with "reply markup is too long".
BUTTONS = 100
KEYBOARD_BYTES = 10_240
BUTTONS_IN_ROW = 8

# https://core.telegram.org/bots/api#sending-files
PHOTO_BYTES = 10 * 1024 * 1024
UPLOAD_BYTES = 50 * 1024 * 1024
# https://core.telegram.org/bots/api#getfile
DOWNLOAD_BYTES = 20 * 1024 * 1024
# "The photo's width and height must not exceed 10000 in total. Width and height ratio must be at most 20"
PHOTO_SIDES = 10_000
PHOTO_RATIO = 20
# https://core.telegram.org/bots/api#sendmediagroup
ALBUM = range(2, 11)

# https://core.telegram.org/bots/api#getupdates
UPDATES_AT_ONCE = 100
UPDATES_HOURS = 24
# The hosted server cuts longer polls.
POLL_SECONDS = 50

# https://core.telegram.org/bots/api#answercallbackquery
NOTICE_UNITS = 200
# The documentation gives no number for "query is too old"; a press can be answered for about half a minute.
QUERY_SECONDS = 30.0

# https://core.telegram.org/bots/api#deletemessage
DELETE_SECONDS = 48 * 3600

# https://core.telegram.org/bots/api#setmycommands
COMMANDS = 100
# https://core.telegram.org/bots/api#botcommand
COMMAND_DESCRIPTION = 256

# https://core.telegram.org/bots/api#sendmessagedraft: "acts as a temporary 30-second preview"
DRAFT_SECONDS = 30.0
# https://core.telegram.org/bots/api#sendchataction: "5 seconds or less"
ACTION_SECONDS = 5.0

# https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this: thirty a second in all, one a second
# in a chat ("we may allow short bursts"), twenty a minute in a group.
BOT_PER_SECOND = 30.0
CHAT_PER_SECOND = 1.0
CHAT_BURST = 5.0
GROUP_PER_MINUTE = 20.0


class Limiter:
    """Counts what is sent and edited, and refuses what is too fast."""

    def __init__(self, clock: Clock, *, enabled: bool) -> None:
        self._clock = clock
        self.enabled = enabled
        self._bots: dict[int, Bucket] = {}
        self._chats: dict[tuple[int, str], Bucket] = {}

    def admit(self, bot_id: int, chat_key: str, *, group: bool, amount: int = 1) -> None:
        """Count so many messages; raises 429 when they come too fast, and counts nothing then."""
        if not self.enabled:
            return
        now = self._clock.monotonic()
        whole, chat = self._buckets(bot_id, chat_key, group, now)
        wait = max(whole.wait(amount, now), chat.wait(amount, now))
        if wait > 0:
            raise too_many(wait)
        whole.take(amount)
        chat.take(amount)

    def _buckets(self, bot_id: int, chat_key: str, group: bool, now: float) -> tuple[Bucket, Bucket]:
        whole = self._bots.get(bot_id)
        if whole is None:
            whole = self._bots[bot_id] = Bucket(per_second=BOT_PER_SECOND, burst=BOT_PER_SECOND, now=now)
        chat = self._chats.get((bot_id, chat_key))
        if chat is None:
            if group:
                chat = Bucket(per_second=GROUP_PER_MINUTE / 60, burst=GROUP_PER_MINUTE, now=now)
            else:
                chat = Bucket(per_second=CHAT_PER_SECOND, burst=CHAT_BURST, now=now)
            self._chats[bot_id, chat_key] = chat
        return whole, chat
