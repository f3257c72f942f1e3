"""Errors: what the platform's refusals instruct us to do."""

from __future__ import annotations

from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, Forbidden, InvalidToken, TelegramError

from adapters.telegram.facts import NAME
from adapters.telegram.transport import FLOOD_SECONDS, Flooded, NeverSent
from bot.errors import DeliveryError, Gone, RateLimited, Refused, Unknown, Unreachable, Vanished

_LONGEST = 300

# The platform documents no list of its refusals; these are the words of its open server,
# https://github.com/tdlib/telegram-bot-api and https://github.com/tdlib/td
_UNCHANGED = ("message is not modified",)
_VANISHED = ("message to edit not found", "message can't be edited", "message_id_invalid", "message to be edited")
_NOTHING_TO_DELETE = ("message to delete not found", "message can't be deleted", "message_id_invalid")
_GONE = (
    "chat not found",
    "chat_id_invalid",
    "chat_write_forbidden",
    "group chat was deactivated",
    "have no rights to send a message",
    "message thread not found",
    "not enough rights to send text messages",
    "peer_id_invalid",
    "topic_closed",
    "topic_deleted",
    "user_is_blocked",
)
_NO_PHOTO = ("photo_", "image_process_failed", "image_file_invalid", "wrong type of the web page content")


def translate(error: TelegramError, *, repeatable: bool) -> DeliveryError:
    """Return our error for one of the client library; `repeatable` says that a second call would change nothing."""
    match error:
        case Flooded():
            return RateLimited(NAME, retry_after=error.seconds)
        case NeverSent():
            return Unreachable(NAME, f"cannot be reached: {_words(error)}")
        case BadRequest():
            return _refusal(error)
        case Forbidden():
            return Gone(NAME, f"closed this chat to us: {_words(error)}")
        case ChatMigrated():
            return Gone(NAME, f"moved this group to the chat {error.new_chat_id}")
        case InvalidToken() | EndPointNotFound():
            # Raised for a token that was withdrawn; the text may hold the token.
            return Unreachable(NAME, "does not accept the bot's token any more")
    if repeatable:
        return Unreachable(NAME, f"did not confirm the call: {_words(error)}")
    return Unknown(NAME, f"did not say whether it took the message: {_words(error)}")


def is_unchanged(error: TelegramError) -> bool:
    """Say whether the message shows already what it should."""
    return isinstance(error, BadRequest) and _says(error, _UNCHANGED)


def is_deleted(error: TelegramError) -> bool:
    """Say whether a message to delete is not there, or not ours to delete any more."""
    return isinstance(error, BadRequest) and _says(error, _NOTHING_TO_DELETE)


def is_no_photo(error: TelegramError) -> bool:
    """Say whether a picture was refused as a photo; it may still be sent as a document."""
    return isinstance(error, BadRequest) and _says(error, _NO_PHOTO)


def _refusal(error: BadRequest) -> DeliveryError:
    if _says(error, _VANISHED):
        return Vanished(NAME, f"has no such message any more: {_words(error)}")
    if _says(error, _GONE):
        return Gone(NAME, f"has no such room for us: {_words(error)}")
    if _says(error, ("too many requests",)):
        return RateLimited(NAME, retry_after=FLOOD_SECONDS)
    return Refused(NAME, f"refused it: {_words(error)}")


def _says(error: TelegramError, phrases: tuple[str, ...]) -> bool:
    words = str(error).casefold()
    return any(phrase in words for phrase in phrases)


def _words(error: TelegramError) -> str:
    """Return the platform's own words on one line."""
    return " ".join(str(error).split())[:_LONGEST]
