"""Keyboards: what may stand under a message. https://core.telegram.org/bots/api#inlinekeyboardmarkup"""

from __future__ import annotations

from typing import Any

import orjson

from adapters.telegram.simulator.entities import is_address
from adapters.telegram.simulator.limits import BUTTONS, BUTTONS_IN_ROW, CALLBACK_BYTES, KEYBOARD_BYTES
from adapters.telegram.simulator.message import Json
from adapters.telegram.simulator.params import Params
from adapters.telegram.simulator.refusals import bad

_OTHER_MARKUPS = ("keyboard", "remove_keyboard", "force_reply")
_OTHER_ACTIONS = (
    "login_url",
    "web_app",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
)


def keyboard(params: Params) -> Json | None:
    """Return the inline keyboard of a call, None where there is none; raises what the server answers to a bad one."""
    if "reply_markup" not in params:
        return None
    given = params.json("reply_markup")
    if not isinstance(given, dict):
        raise bad("object expected as reply markup")
    if "inline_keyboard" not in given:
        if given and not any(name in given for name in _OTHER_MARKUPS):
            params.problems.append("reply_markup is no known kind of markup")
        return None
    rows = _rows(given["inline_keyboard"], params.problems)
    count = sum(len(row) for row in rows)
    if count > BUTTONS or len(orjson.dumps(rows)) > KEYBOARD_BYTES:
        raise bad("reply markup is too long")
    return {"inline_keyboard": rows} if rows else None


def _rows(given: Any, problems: list[str]) -> list[list[Json]]:
    if not isinstance(given, list) or not all(isinstance(row, list) for row in given):
        raise bad('can\'t parse inline keyboard: Field "inline_keyboard" must be of type Array')
    rows = [[_button(button) for button in row] for row in given if row]
    if any(len(row) > BUTTONS_IN_ROW for row in rows):
        problems.append(f"a row of more than {BUTTONS_IN_ROW} buttons cannot be read on a phone")
    return rows


def _button(given: Any) -> Json:
    if not isinstance(given, dict):
        raise bad("can't parse inline keyboard button: InlineKeyboardButton must be an Object")
    if "text" not in given:
        raise bad("can't parse inline keyboard button: Can't find field \"text\"")
    text = str(given["text"]).strip()
    if not text:
        raise bad("inline keyboard button text must be non-empty")
    button: Json = {"text": text}
    if given.get("style") in ("danger", "success", "primary"):
        button["style"] = given["style"]
    return {**button, **_action(given)}


def _action(given: Json) -> Json:
    if "callback_data" in given:
        data = str(given["callback_data"])
        if not 1 <= len(data.encode()) <= CALLBACK_BYTES:
            raise bad("BUTTON_DATA_INVALID")
        return {"callback_data": data}
    if "url" in given:
        if not is_address(str(given["url"])):
            raise bad("BUTTON_URL_INVALID")
        return {"url": given["url"]}
    for action in _OTHER_ACTIONS:
        if action in given:
            return {action: given[action]}
    raise bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
