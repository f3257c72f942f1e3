"""Request to the JSON of a chat completion. Pure.

No message carries a `name`: providers refuse most people's names there, and who speaks stands in the text.
https://platform.openai.com/docs/api-reference/chat/create
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from agent.model import AssistantMessage, Message, Request, SystemMessage, ToolMessage, ToolSpec, UserMessage
from agent.models._shape import shape
from agent.models._thinking import thinking_fields
from bot.settings import Profile


def chat_body(request: Request, profile: Profile, *, strict: bool, max_tokens_field: str) -> dict[str, Any]:
    """Return the body that asks for a streamed answer to the request."""
    body: dict[str, Any] = {
        "model": profile.model,
        "messages": messages_json(request, profile, strict=strict),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if profile.tools and request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    options = {"temperature": temperature(request, profile), max_tokens_field: request.max_tokens or profile.max_tokens}
    body |= {name: value for name, value in options.items() if value is not None}
    return with_fields(with_fields(body, plain_fields(thinking_fields(request, profile))), plain_fields(profile.extra))


def temperature(request: Request, profile: Profile) -> float | None:
    """Return the request's temperature before the profile's."""
    return profile.temperature if request.temperature is None else request.temperature


def plain_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields as the body has them: what a client library calls `extra_body` lies beside the others there."""
    plain = {name: value for name, value in fields.items() if name != "extra_body"}
    return with_fields(plain, fields.get("extra_body") or {})


def messages_json(request: Request, profile: Profile, *, strict: bool) -> list[dict[str, Any]]:
    """Return the messages alone."""
    tools = profile.tools and (bool(request.tools) or not strict)
    turns = shape(request.messages, tools=tools, vision=profile.vision, strict=strict)
    return [_message(turn) for turn in turns]


def with_fields(body: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body with further fields, nested ones merged; a field that is None is taken away."""
    merged = dict(body)
    for name, value in fields.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, Mapping) and isinstance(merged.get(name), Mapping):
            merged[name] = with_fields(merged[name], value)
        else:
            merged[name] = value
    return merged


def _message(turn: Message) -> dict[str, Any]:
    match turn:
        case SystemMessage():
            return {"role": "system", "content": turn.text}
        case UserMessage():
            return {"role": "user", "content": _user_content(turn)}
        case AssistantMessage():
            return _assistant(turn)
        case ToolMessage():
            return {"role": "tool", "tool_call_id": turn.call_id, "content": turn.text}
        case other:
            assert_never(other)


def _user_content(turn: UserMessage) -> str | list[dict[str, Any]]:
    if not turn.images:
        return turn.text
    text = [{"type": "text", "text": turn.text}] if turn.text else []
    return [*text, *({"type": "image_url", "image_url": {"url": image}} for image in turn.images)]


def _assistant(turn: AssistantMessage) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in turn.calls
        ]
    return message


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": parameters(tool)}
    return {"type": "function", "function": function}


def parameters(tool: ToolSpec) -> dict[str, Any]:
    """Return the schema of the arguments; providers refuse an object without `properties`."""
    return {"type": "object", "properties": {}} | tool.parameters
