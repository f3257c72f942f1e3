"""What the Bot API allows, with the page that says so."""

from __future__ import annotations

from bot.adapter import Capabilities

NAME = "telegram"

# https://core.telegram.org/bots/api#sendmessage: "1-4096 characters after entities parsing"; counted, as entity
# offsets are, in UTF-16 code units: https://core.telegram.org/api/entities#entity-length
MAX_TEXT = 4096
# https://core.telegram.org/bots/api#senddocument
MAX_CAPTION = 1024
# https://limits.tginfo.me: further entities are ignored without an error
MAX_ENTITIES = 100
# https://core.telegram.org/bots/api#inlinekeyboardbutton
MAX_CALLBACK_BYTES = 64
# Larger keyboards are refused (REPLY_MARKUP_TOO_LONG); the documentation gives no numbers.
MAX_BUTTONS = 100
MAX_KEYBOARD_BYTES = 10_000
MAX_BUTTONS_IN_ROW = 8

# https://core.telegram.org/bots/api#sending-files
MAX_PHOTO_BYTES = 10_000_000
MAX_DOCUMENT_BYTES = 50_000_000
# https://core.telegram.org/bots/api#getfile
MAX_FETCH_BYTES = 20_000_000
# https://core.telegram.org/bots/api#sendphoto
PHOTO_TYPES = frozenset({"image/jpeg", "image/png", "image/webp", "image/gif"})

# https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
POSTS_PER_SECOND = 30.0
ROOM_SECONDS = 1.0
ROOM_BURST = 3
GROUP_POSTS_PER_MINUTE = 20

CAPABILITIES = Capabilities(
    reserves=True,
    preview_seconds_direct=1.0,
    preview_seconds_group=3.0,
    posts_per_second=POSTS_PER_SECOND,
    room_seconds=ROOM_SECONDS,
    room_burst=ROOM_BURST,
    max_file_bytes=MAX_DOCUMENT_BYTES,
    max_fetch_bytes=MAX_FETCH_BYTES,
)

# https://core.telegram.org/bots/api#setmycommands and https://core.telegram.org/bots/api#botcommand
MAX_COMMANDS = 100
MAX_COMMAND_DESCRIPTION = 256
