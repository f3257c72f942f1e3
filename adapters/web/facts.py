"""What the page can do, and what it is asked not to exceed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bot.adapter import Capabilities

NAME = "web"

MAX_UPLOAD_BYTES = 20_000_000
MAX_FILE_BYTES = 200_000_000
MAX_FILES = 20
MAX_TEXT = 200_000
"""Characters of one message that a person sends; intake cuts earlier where its own limit is lower."""
MAX_TITLE = 60
MAX_NAME = 80

CAPABILITIES = Capabilities(
    reserves=True,
    preview_seconds_direct=0.15,
    preview_seconds_group=0.15,
    posts_per_second=10_000.0,
    room_burst=1_000,
    request_seconds=10.0,
    max_file_bytes=MAX_FILE_BYTES,
    max_fetch_bytes=MAX_UPLOAD_BYTES,
)

OPTIONS: Mapping[str, Any] = {"public_url": "", "upload_bytes": MAX_UPLOAD_BYTES}
"""`public_url` is the address in people's browsers where it is another than the one we listen on."""

# Seat K22: what a viewer missed is sent up to this many changes; beyond, it is told to read the history again.
MAX_MISSED = 256
BEAT_SECONDS = 15.0
POLL_SECONDS = 0.5
"""How soon a viewer sees what another replica wrote."""
HISTORY_MESSAGES = 60

SESSION_DAYS = 30
UPLOAD_HOURS = 24
"""How long an upload is kept that no message carries."""
WRONG_CODES = 5
WRONG_CODES_OF_ALL = 50
WRONG_CODE_SECONDS = 60.0

# Types that every browser draws and that cannot carry script.
# https://developer.mozilla.org/en-US/docs/Web/Media/Guides/Formats/Image_types
SAFE_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})

CONVERSATION_ID = re.compile(r"[A-Za-z0-9_-]{16,40}")
KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
FILE_ID = re.compile(r"[0-9a-f]{32}")
MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,90}")
UNKNOWN_TYPE = "application/octet-stream"
STOP_WORD = "/stop"
