"""Asking: the methods that look something up, and those that set how the bot appears."""

from __future__ import annotations

import re
from typing import Any

import orjson

from adapters._shared.utf16 import units
from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.simulator.limits import (
    ACTION_SECONDS,
    COMMAND_DESCRIPTION,
    COMMANDS,
    DOWNLOAD_BYTES,
    NOTICE_UNITS,
)
from adapters.telegram.simulator.membership import member_json
from adapters.telegram.simulator.message import Json
from adapters.telegram.simulator.params import Params
from adapters.telegram.simulator.presses import Notice
from adapters.telegram.simulator.refusals import bad
from adapters.telegram.simulator.service import Service

# https://core.telegram.org/bots/api#sendchataction
_ACTIONS = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")


def get_me(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#getme"""
    return bot.me()


def send_chat_action(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#sendchataction"""
    chat = service.chats.open(bot, params.chat_id)
    action = params.text("action")
    if action not in _ACTIONS:
        raise bad("wrong parameter action in request")
    chat.action = action
    chat.acting_until = service.state.clock.monotonic() + ACTION_SECONDS
    chat.touch_all()
    return True


def answer_callback_query(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#answercallbackquery"""
    text = params.text("text")
    if units(text) > NOTICE_UNITS:
        raise bad("MESSAGE_TOO_LONG")
    notice = Notice(text=text, alert=params.flag("show_alert"), url=params.text("url"))
    press = service.state.presses.answer(params.text("callback_query_id"), bot.id, notice)
    service.state.changed.notify()
    service.state.live.tell(
        {"kind": "notice", "person": press.person.name, "text": text, "alert": notice.alert, "press": press.id}
    )
    return True


def get_file(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#getfile"""
    if "file_id" not in params:
        raise bad("file_id not specified")
    file = service.state.files.by_id(params.text("file_id"))
    if file is None:
        raise bad("wrong file_id or the file is temporarily unavailable")
    if file.size > DOWNLOAD_BYTES:
        raise bad("file is too big")
    return {"file_id": file.id, "file_unique_id": file.unique_id, "file_size": file.size, "file_path": file.path}


# --- commands --------------------------------------------------------------------------------------------


def _commands_key(params: Params) -> tuple[str, str]:
    scope = params.json("scope") or {"type": "default"}
    return orjson.dumps(scope, option=orjson.OPT_SORT_KEYS).decode(), params.text("language_code")


def set_my_commands(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#setmycommands"""
    given = params.json("commands")
    if not isinstance(given, list):
        raise bad("can't parse commands JSON object")
    if len(given) > COMMANDS:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    bot.commands[_commands_key(params)] = [_command(item) for item in given]
    service.state.live.tell({"kind": "chats"})
    return True


def _command(item: Any) -> dict[str, str]:
    if not isinstance(item, dict):
        raise bad("can't parse BotCommand: expected an Object")
    name, description = str(item.get("command", "")).removeprefix("/"), str(item.get("description", "")).strip()
    if not _COMMAND.fullmatch(name):
        raise bad("BOT_COMMAND_INVALID")
    if not 1 <= units(description) <= COMMAND_DESCRIPTION:
        raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    return {"command": name, "description": description}


def get_my_commands(service: Service, bot: Bot, params: Params) -> list[dict[str, str]]:
    """https://core.telegram.org/bots/api#getmycommands"""
    return bot.commands.get(_commands_key(params), [])


def delete_my_commands(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#deletemycommands"""
    bot.commands.pop(_commands_key(params), None)
    service.state.live.tell({"kind": "chats"})
    return True


# --- chats -----------------------------------------------------------------------------------------------


def get_chat(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#getchat"""
    chat = service.chats.open(bot, params.chat_id)
    return {
        **chat.to_json(),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(
            ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"), False
        ),
    }


def get_chat_member(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#getchatmember"""
    chat = service.chats.open(bot, params.chat_id)
    wanted = params.integer("user_id")
    here = next((one for one in chat.bots if one.id == wanted), None)
    if here is not None:
        return member_json(here.to_json(), "member")
    person = service.state.people.by_id(wanted)
    if person is None:
        raise bad("user not found")
    return member_json(dict(service.state.user_json(person)), _status(chat, wanted))


def _status(chat: Chat, person_id: int) -> str:
    ids = [person.id for person in chat.people]
    if person_id not in ids:
        return "left"
    # Whoever made a group is its owner.
    return "creator" if chat.is_group and ids[0] == person_id else "member"
