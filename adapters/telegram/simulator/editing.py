"""Editing: the methods that change or take away what stands."""

from __future__ import annotations

from dataclasses import replace

from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.chat import Chat
from adapters.telegram.simulator.keyboards import keyboard
from adapters.telegram.simulator.limits import DELETE_SECONDS
from adapters.telegram.simulator.message import Content, Json, Message
from adapters.telegram.simulator.params import Params
from adapters.telegram.simulator.reactions import REACTIONS
from adapters.telegram.simulator.refusals import bad
from adapters.telegram.simulator.sending import captioned, parsed, settled, settled_caption, styled_of
from adapters.telegram.simulator.service import Service

_SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)


def _target(service: Service, bot: Bot, params: Params) -> tuple[Chat, Message]:
    """Return the message that shall be edited; raises when there is none or it is not the bot's own."""
    chat = service.chats.open(bot, params.chat_id)
    if "message_id" not in params:
        raise bad("message identifier is not specified")
    message = chat.messages.get(params.integer("message_id"))
    if message is None:
        raise bad("message to edit not found")
    if message.bot_id != bot.id or message.service is not None:
        raise bad("message can't be edited")
    return chat, message


def _change(service: Service, bot: Bot, chat: Chat, message: Message, content: Content, markup: Json | None) -> Json:
    if content == message.content and markup == message.markup:
        raise bad(_SAME)
    service.state.limiter.admit(bot.id, chat.key, group=chat.is_group)
    chat.replace(message, content, markup)
    return message.to_json()


def edit_message_text(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#editmessagetext"""
    parsed(params.text("text"), params.text("parse_mode"))
    chat, message = _target(service, bot, params)
    if message.content.has_media:
        raise bad("there is no text in the message to edit")
    styled = settled(styled_of(params, "text", "entities"))
    return _change(service, bot, chat, message, Content(styled=styled), keyboard(params))


def edit_message_caption(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#editmessagecaption"""
    chat, message = _target(service, bot, params)
    if not message.content.has_media:
        raise bad("there is no caption in the message to edit")
    styled = settled_caption(styled_of(params, "caption", "caption_entities"))
    return _change(service, bot, chat, message, replace(message.content, styled=styled), keyboard(params))


def edit_message_media(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#editmessagemedia: "or to replace a text … with a media"."""
    chat, message = _target(service, bot, params)
    content = captioned(service, params, params.json("media"))
    if message.group and (content.photo is None) != (message.content.photo is None):
        raise bad("message can't be edited: the media of an album keeps its type")
    return _change(service, bot, chat, message, content, keyboard(params))


def edit_message_reply_markup(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#editmessagereplymarkup"""
    chat, message = _target(service, bot, params)
    return _change(service, bot, chat, message, message.content, keyboard(params))


def delete_message(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#deletemessage"""
    chat = service.chats.open(bot, params.chat_id)
    message = chat.messages.get(params.integer("message_id"))
    if message is None:
        raise bad("message to delete not found")
    if message.bot_id != bot.id and chat.kind != "private":
        raise bad("message can't be deleted")
    if service.state.now() - message.date > DELETE_SECONDS:
        raise bad("message can't be deleted for everyone")
    chat.delete(message)
    return True


def set_message_reaction(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#setmessagereaction"""
    chat = service.chats.open(bot, params.chat_id)
    message = chat.messages.get(params.integer("message_id"))
    if message is None:
        raise bad("message to react not found")
    given = params.json("reaction") or []
    # "a bot can set up to one reaction per message"
    if not isinstance(given, list) or len(given) > 1:
        raise bad("REACTIONS_TOO_MANY")
    emoji = str(given[0].get("emoji", "")) if given else ""
    if given and emoji not in REACTIONS:
        raise bad("REACTION_INVALID")
    message.reactions.pop(bot.id, None)
    if emoji:
        message.reactions[bot.id] = emoji
    chat.touch(message)
    return True
