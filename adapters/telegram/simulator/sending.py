"""Sending: the methods that put a message into a chat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adapters._shared.utf16 import units
from adapters.telegram.simulator.bot import Bot
from adapters.telegram.simulator.chat import Chat, Draft
from adapters.telegram.simulator.entities import Styled, check, detect, trim
from adapters.telegram.simulator.html_mode import parse_html
from adapters.telegram.simulator.keyboards import keyboard
from adapters.telegram.simulator.limits import ALBUM, CAPTION_UNITS, DRAFT_SECONDS, TEXT_UNITS
from adapters.telegram.simulator.markdown_mode import parse_markdown, parse_markdown_v2
from adapters.telegram.simulator.media import media_of, photo_or_document
from adapters.telegram.simulator.message import Content, Json, Message, Quote
from adapters.telegram.simulator.params import Params
from adapters.telegram.simulator.place import GENERAL, Place, place_of
from adapters.telegram.simulator.refusals import bad
from adapters.telegram.simulator.service import Service

_MODES = {"markdownv2": parse_markdown_v2, "html": parse_html, "markdown": parse_markdown}


# --- texts -----------------------------------------------------------------------------------------------


def parsed(text: str, mode: str) -> Styled:
    """Return the text as its parse mode reads it."""
    if not mode:
        return Styled(text=text)
    parse = _MODES.get(mode.lower())
    if parse is None:
        raise bad("unsupported parse_mode")
    return parse(text)


def styled_of(params: Params, text: str, entities: str) -> Styled:
    """Return a call's text with its formatting; a parse mode wins over entities."""
    styled = parsed(params.text(text), params.text("parse_mode"))
    given = params.json(entities)
    if given is not None and not params.text("parse_mode"):
        styled = Styled(text=styled.text, entities=check(styled.text, given, params.problems))
    elif given is not None:
        params.problems.append(f"{entities} are ignored beside parse_mode")
    return styled


def settled(styled: Styled) -> Styled:
    """Return a message's text as it will stand; raises when it is empty or too long."""
    final = detect(trim(styled))
    if not final.text:
        raise bad("message text is empty")
    if units(final.text) > TEXT_UNITS:
        raise bad("message is too long")
    return final


def settled_caption(styled: Styled) -> Styled:
    final = detect(trim(styled))
    if units(final.text) > CAPTION_UNITS:
        raise bad("message caption is too long")
    return final


# --- places ----------------------------------------------------------------------------------------------


def _place(chat: Chat, params: Params) -> tuple[Place, Quote | None]:
    thread = params.integer("message_thread_id") or None
    reply, quote = _reply(chat, params)
    if thread is not None:
        _check_thread(chat, thread)
    return place_of(thread, reply, topics=chat.topics, is_forum=chat.is_forum, kind=chat.kind), quote


def _check_thread(chat: Chat, thread: int) -> None:
    if not chat.is_forum:
        if chat.kind == "supergroup" and thread in chat.messages:
            return
        raise bad("message thread not found")
    topic = chat.topics.get(thread)
    if thread == GENERAL or topic is None:
        raise bad("message thread not found")
    if topic.closed:
        raise bad("TOPIC_CLOSED")


def _reply(chat: Chat, params: Params) -> tuple[Message | None, Quote | None]:
    given = params.json("reply_parameters")
    if given is None and "reply_to_message_id" in params:
        given = {
            "message_id": params.integer("reply_to_message_id"),
            "allow_sending_without_reply": params.flag("allow_sending_without_reply"),
        }
    if given is None:
        return None, None
    if not isinstance(given, dict) or "message_id" not in given:
        raise bad("can't parse reply parameters: Can't find field \"message_id\"")
    found = chat.messages.get(int(given["message_id"]))
    elsewhere = given.get("chat_id") not in (None, chat.id, str(chat.id))
    if found is None or elsewhere:
        if given.get("allow_sending_without_reply"):
            return None, None
        raise bad("message to be replied not found")
    return found, _quote(found, str(given.get("quote") or ""))


def _quote(found: Message, text: str) -> Quote | None:
    if not text:
        return None
    position = found.text.find(text)
    if position < 0:
        raise bad("QUOTE_TEXT_INVALID")
    return Quote(text=text, position=units(found.text[:position]))


# --- methods ---------------------------------------------------------------------------------------------


def send_message(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#sendmessage"""
    # The server parses markup before it looks for the chat, and checks entities after it.
    parsed(params.text("text"), params.text("parse_mode"))
    chat = service.chats.open(bot, params.chat_id)
    place, quote = _place(chat, params)
    styled = settled(styled_of(params, "text", "entities"))
    markup = keyboard(params)
    service.state.limiter.admit(bot.id, chat.key, group=chat.is_group)
    message = chat.add_from_bot(bot, Content(styled=styled), place, markup=markup, quote=quote, extra=_extra(params))
    return message.to_json()


def _extra(params: Params) -> Json:
    extra: Json = {}
    preview = params.json("link_preview_options")
    if isinstance(preview, dict) and preview:
        extra["link_preview_options"] = preview
    if params.flag("protect_content"):
        extra["has_protected_content"] = True
    return extra


def send_photo(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#sendphoto"""
    return _send_file(service, bot, params, "photo")


def send_document(service: Service, bot: Bot, params: Params) -> Json:
    """https://core.telegram.org/bots/api#senddocument"""
    return _send_file(service, bot, params, "document")


def _send_file(service: Service, bot: Bot, params: Params, kind: str) -> Json:
    chat = service.chats.open(bot, params.chat_id)
    place, quote = _place(chat, params)
    caption = settled_caption(styled_of(params, "caption", "caption_entities"))
    markup = keyboard(params)
    content = photo_or_document(service.state.files, params, kind, params.raw(kind))
    service.state.limiter.admit(bot.id, chat.key, group=chat.is_group)
    message = chat.add_from_bot(
        bot, replace(content, styled=caption), place, markup=markup, quote=quote, extra=_extra(params)
    )
    return message.to_json()


def send_media_group(service: Service, bot: Bot, params: Params) -> list[Json]:
    """https://core.telegram.org/bots/api#sendmediagroup"""
    chat = service.chats.open(bot, params.chat_id)
    place, quote = _place(chat, params)
    given = params.json("media")
    if not isinstance(given, list):
        raise bad("can't parse media JSON object")
    if len(given) > ALBUM[-1]:
        raise bad("too many messages to send as an album")
    if len(given) < ALBUM[0]:
        raise bad("there are not enough messages to send as an album")
    contents = [captioned(service, params, item) for item in given]
    if len({content.photo is not None for content in contents}) > 1:
        raise bad("document can't be mixed with other media types")
    if "reply_markup" in params:
        params.problems.append("an album takes no reply_markup")
    service.state.limiter.admit(bot.id, chat.key, group=chat.is_group, amount=len(contents))
    group = chat.new_album()
    sent = [chat.add_from_bot(bot, content, place, quote=quote, group=group) for content in contents]
    return [message.to_json() for message in sent]


def captioned(service: Service, params: Params, item: Any) -> Content:
    """Return one InputMedia as content: https://core.telegram.org/bots/api#inputmedia"""
    if not isinstance(item, dict):
        raise bad("can't parse InputMedia: expected an Object")
    content = media_of(service.state.files, params, item)
    styled = parsed(str(item.get("caption") or ""), str(item.get("parse_mode") or ""))
    entities = item.get("caption_entities")
    if entities is not None and not item.get("parse_mode"):
        styled = Styled(text=styled.text, entities=check(styled.text, entities, params.problems))
    return replace(content, styled=settled_caption(styled))


def send_message_draft(service: Service, bot: Bot, params: Params) -> bool:
    """https://core.telegram.org/bots/api#sendmessagedraft"""
    chat = service.chats.open(bot, params.chat_id)
    if chat.is_group:
        raise bad("TEXTDRAFT_PEER_INVALID")
    if params.integer("draft_id") == 0:
        raise bad("draft_id must be non-zero")
    styled = detect(trim(styled_of(params, "text", "entities")))
    if units(styled.text) > TEXT_UNITS:
        raise bad("message is too long")
    chat.drafts[bot.id] = Draft(styled=styled, until=service.state.clock.monotonic() + DRAFT_SECONDS)
    chat.touch_all()
    return True
