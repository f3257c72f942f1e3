"""Request to the JSON of the Responses API, which the newest OpenAI models want. Pure.

https://platform.openai.com/docs/api-reference/responses/create
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from agent.model import AssistantMessage, Message, Request, SystemMessage, ToolMessage, ToolSpec, UserMessage
from agent.models._shape import shape
from agent.models._thinking import thinking_fields
from agent.models._wire import parameters, plain_fields, temperature, with_fields
from bot.settings import Profile


def responses_body(request: Request, profile: Profile) -> dict[str, Any]:
    """Return the body that asks for a streamed answer; nothing of it is kept at the provider."""
    turns = shape(request.messages, tools=profile.tools, vision=profile.vision, strict=False)
    body: dict[str, Any] = {
        "model": profile.model,
        "input": [item for turn in turns for item in _items(turn)],
        "stream": True,
        "store": False,
    }
    if profile.tools and request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    fields = plain_fields(thinking_fields(request, profile))
    effort = fields.pop("reasoning_effort", None)
    options = {
        "temperature": temperature(request, profile),
        "max_output_tokens": request.max_tokens or profile.max_tokens,
        "reasoning": {"effort": effort} if effort else None,
    }
    body |= {name: value for name, value in options.items() if value is not None}
    return with_fields(with_fields(body, fields), plain_fields(profile.extra))


def _items(turn: Message) -> Iterable[dict[str, Any]]:
    match turn:
        case SystemMessage():
            yield {"role": "system", "content": turn.text}
        case UserMessage():
            yield {"role": "user", "content": _content(turn)}
        case AssistantMessage():
            if turn.text:
                yield {"role": "assistant", "content": turn.text}
            for call in turn.calls:
                yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
        case ToolMessage():
            yield {"type": "function_call_output", "call_id": turn.call_id, "output": turn.text}
        case other:
            assert_never(other)


def _content(turn: UserMessage) -> str | list[dict[str, Any]]:
    if not turn.images:
        return turn.text
    text = [{"type": "input_text", "text": turn.text}] if turn.text else []
    return [*text, *({"type": "input_image", "image_url": image} for image in turn.images)]


def _tool(tool: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters(tool),
        "strict": False,
    }
