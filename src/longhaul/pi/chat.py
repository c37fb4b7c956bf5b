"""OpenAI's chat completions as pi asks for them: the request read, the reply as a stream."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from longhaul.compaction.completion import THINKING_LEVELS, Completion, ThinkingLevel
from longhaul.errors import LonghaulError
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import find_literal

Finish = Literal["stop", "length", "tool_calls"]
_CHARS_PER_TOKEN = 4


class ChatError(LonghaulError):
    """A request is not one of chat completions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What pi asks."""

    messages: tuple[Mapping[str, JsonValue], ...]
    tools: tuple[JsonValue, ...]
    """Empty where a compactor asks: the session itself always declares its tools."""
    max_output_tokens: int | None
    prompt_tokens: int
    """A quarter of the characters of messages and tools, as JSON."""
    schema: Mapping[str, JsonValue] = field(default_factory=dict)
    """JSON schema that the reply is to be held to; empty for none."""
    thinking: ThinkingLevel | None = None
    """The session's level, as far as pi says it; None leaves it to the model."""

    @property
    def is_of_the_session(self) -> bool:
        """Whether the next assistant message is asked for, and no summary."""
        return bool(self.tools)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call of a reply."""

    id: str
    name: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What is answered; `prompt_tokens` and `completion_tokens` None where they are estimated."""

    thinking: str = ""
    text: str = ""
    calls: tuple[Call, ...] = ()
    is_cut: bool = False
    """The output limit cut it."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    """Of `prompt_tokens`, those read from a cache; None where not known."""


Answer: TypeAlias = Callable[[ChatRequest], Reply]
"""What answers pi; it may raise a LonghaulError, which pi is told of."""


def parse_chat(body: bytes) -> ChatRequest:
    """Return the request that the body of an HTTP request holds.

    Raises:
        ChatError: it is no JSON, or has no messages.
    """
    try:
        record = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ChatError(f"the request is not JSON: {error}") from None
    messages = record.get("messages") if isinstance(record, dict) else None
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise ChatError("the request has no list of messages")
    tools = record.get("tools") or []
    limit = record.get("max_completion_tokens") or record.get("max_tokens")
    return ChatRequest(
        messages=tuple(messages),
        tools=tuple(tools) if isinstance(tools, list) else (),
        max_output_tokens=limit if isinstance(limit, int) else None,
        prompt_tokens=_tokens(_dump(messages) + _dump(tools)),
        schema=_schema(record.get("response_format")),
        thinking=_thinking(record.get("reasoning_effort")),
    )


def _schema(response_format: JsonValue) -> Mapping[str, JsonValue]:
    json_schema = response_format.get("json_schema") if isinstance(response_format, dict) else None
    schema = json_schema.get("schema") if isinstance(json_schema, dict) else None
    return schema if isinstance(schema, dict) else {}


def _thinking(effort: JsonValue) -> ThinkingLevel | None:
    """Return the level of an effort; OpenAI's `none` is pi's `off`."""
    return "off" if effort == "none" else find_literal(effort, THINKING_LEVELS)


def text_of(message: Mapping[str, JsonValue]) -> str:
    """Return the text of one message of a request, its parts joined."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def role_of(message: Mapping[str, JsonValue]) -> str:
    """Return the role of one message; `developer` is what some servers call `system`."""
    role = str(message.get("role"))
    return "system" if role == "developer" else role


def build_reply(completion: Completion, text: str, calls: tuple[Call, ...] = ()) -> Reply:
    """Return the reply that says `text` and makes `calls`, read from a model's `completion`."""
    return Reply(
        text=text,
        calls=calls,
        is_cut=completion.stop_reason == "length",
        prompt_tokens=completion.tokens_in,
        completion_tokens=completion.tokens_out,
        cached_tokens=completion.tokens_cached,
    )


def newest_tool_text(request: ChatRequest) -> str:
    """Return the text of the newest tool result; empty where there is none yet."""
    results = (one for one in reversed(request.messages) if role_of(one) == "tool")
    return text_of(next(results, {}))


def render_stream(reply: Reply, request: ChatRequest) -> Iterator[bytes]:
    """Yield the events of a streamed reply, its usage last."""
    for delta in _deltas(reply):
        yield event(_chunk([{"index": 0, "delta": delta, "finish_reason": None}]))
    yield event(_chunk([{"index": 0, "delta": {}, "finish_reason": _finish(reply)}]))
    yield event({**_chunk([]), "usage": _usage(reply, request)})
    yield b"data: [DONE]\n\n"


def render_error(message: str) -> bytes:
    """Return the event by which a stream fails."""
    return event({"error": {"message": message, "type": "server_error"}})


def event(value: JsonValue) -> bytes:
    """Return one event of a stream."""
    return f"data: {json.dumps(value)}\n\n".encode("ascii")


def _deltas(reply: Reply) -> Iterator[dict[str, JsonValue]]:
    yield {"role": "assistant"}
    if reply.thinking:
        yield {"reasoning_content": reply.thinking}
    if reply.text:
        yield {"content": reply.text}
    for index, call in enumerate(reply.calls):
        function: JsonValue = {"name": call.name, "arguments": _dump(dict(call.arguments))}
        yield {
            "tool_calls": [
                {"index": index, "id": call.id, "type": "function", "function": function}
            ]
        }


def _finish(reply: Reply) -> Finish:
    if reply.is_cut:
        return "length"
    return "tool_calls" if reply.calls else "stop"


def _chunk(choices: list[JsonValue]) -> dict[str, JsonValue]:
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "",
        "choices": choices,
    }


def _usage(reply: Reply, request: ChatRequest) -> dict[str, JsonValue]:
    prompt, completion = reply.prompt_tokens, reply.completion_tokens
    if prompt is None:
        prompt = request.prompt_tokens
    if completion is None:
        calls: list[JsonValue] = [{one.name: dict(one.arguments)} for one in reply.calls]
        completion = _tokens(_dump([reply.thinking, reply.text, calls]))
    usage: dict[str, JsonValue] = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    if reply.cached_tokens:
        usage["prompt_tokens_details"] = {"cached_tokens": reply.cached_tokens}
    return usage


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARS_PER_TOKEN)


def _dump(value: JsonValue) -> str:
    """Return JSON as JavaScript writes it: no blanks, nothing escaped that need not be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
