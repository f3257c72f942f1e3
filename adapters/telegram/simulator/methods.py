"""Methods: what can be called, with the parameters that the documentation names."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.telegram.simulator import asking, editing, receiving, sending
from adapters.telegram.simulator.service import Handler


@dataclass(frozen=True, kw_only=True, slots=True)
class Method:
    """One method of the Bot API."""

    name: str
    handler: Handler
    parameters: frozenset[str]


def _method(name: str, handler: Handler, parameters: str = "") -> Method:
    return Method(name=name, handler=handler, parameters=frozenset(parameters.split()))


_SEND = (
    "business_connection_id chat_id message_thread_id direct_messages_topic_id disable_notification protect_content "
    "allow_paid_broadcast message_effect_id reply_parameters reply_to_message_id allow_sending_without_reply "
)
_SEND_ONE = _SEND + "suggested_post_parameters reply_markup "
_EDIT = "business_connection_id chat_id message_id inline_message_id reply_markup "

_ALL = (
    _method("getMe", asking.get_me),
    _method("getUpdates", receiving.get_updates, "offset limit timeout allowed_updates"),
    _method(
        "setWebhook",
        receiving.set_webhook,
        "url certificate ip_address max_connections allowed_updates drop_pending_updates secret_token",
    ),
    _method("deleteWebhook", receiving.delete_webhook, "drop_pending_updates"),
    _method("getWebhookInfo", receiving.get_webhook_info),
    _method("sendMessage", sending.send_message, _SEND_ONE + "text parse_mode entities link_preview_options"),
    _method(
        "sendPhoto",
        sending.send_photo,
        _SEND_ONE + "photo caption parse_mode caption_entities show_caption_above_media has_spoiler",
    ),
    _method(
        "sendDocument",
        sending.send_document,
        _SEND_ONE + "document thumbnail caption parse_mode caption_entities disable_content_type_detection",
    ),
    _method("sendMediaGroup", sending.send_media_group, _SEND + "media"),
    _method(
        "sendMessageDraft",
        sending.send_message_draft,
        "chat_id message_thread_id draft_id text parse_mode entities",
    ),
    _method("sendChatAction", asking.send_chat_action, "business_connection_id chat_id message_thread_id action"),
    _method(
        "editMessageText",
        editing.edit_message_text,
        _EDIT + "text parse_mode entities link_preview_options rich_message",
    ),
    _method(
        "editMessageCaption",
        editing.edit_message_caption,
        _EDIT + "caption parse_mode caption_entities show_caption_above_media",
    ),
    _method("editMessageMedia", editing.edit_message_media, _EDIT + "media"),
    _method("editMessageReplyMarkup", editing.edit_message_reply_markup, _EDIT),
    _method("deleteMessage", editing.delete_message, "chat_id message_id"),
    _method("setMessageReaction", editing.set_message_reaction, "chat_id message_id reaction is_big"),
    _method("answerCallbackQuery", asking.answer_callback_query, "callback_query_id text show_alert url cache_time"),
    _method("getFile", asking.get_file, "file_id"),
    _method("setMyCommands", asking.set_my_commands, "commands scope language_code"),
    _method("getMyCommands", asking.get_my_commands, "scope language_code"),
    _method("deleteMyCommands", asking.delete_my_commands, "scope language_code"),
    _method("getChat", asking.get_chat, "chat_id"),
    _method("getChatMember", asking.get_chat_member, "chat_id user_id"),
)

METHODS = {method.name.lower(): method for method in _ALL}
"""By name in small letters: "All methods in the Bot API are case-insensitive"."""
