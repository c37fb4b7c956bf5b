"""Requests as pi sends them to a model."""

import json
from typing import Any

TOOL = {"type": "function", "function": {"name": "bash", "parameters": {"type": "object"}}}


def chat(*, tool: str | None = None, then: str | None = None, **more: Any) -> bytes:
    """Return the body of a request, `tool` and `then` the tool results in it."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an assistant."},
        {"role": "user", "content": [{"type": "text", "text": "Go."}]},
    ]
    for number, text in enumerate(one for one in (tool, then) if one is not None):
        call_id = f"c{number}"
        function = {"name": "bash", "arguments": '{"command": "ls"}'}
        call = {"id": call_id, "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call_id, "content": text})
    return json.dumps({"messages": messages, "tools": [TOOL], **more}).encode()
