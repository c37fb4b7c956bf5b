"""A session's turn for a model that answers with text alone: tools in words, calls parsed.

The package's models answer with text. So the tools are described in the prompt, and the reply is an
object of `text` and `tools`: the same for a provider, an embedded model and a folder of files.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from itertools import islice

from longhaul.compaction.completion import CompletionRequest, PromptMessage, ThinkingLevel
from longhaul.pi.chat import Call, ChatRequest, role_of, text_of
from longhaul.transcript.entries import JsonValue

MAX_REPLY_TOKENS = 16_384
"""Where pi does not say how long a reply may be."""
_MAX_DEPTH = 60
_MAX_BRACES = 1_000
_FORM = """
Answer with one JSON object and nothing else:
{"text": "what you say to the user", "tools": [{"name": "…", "arguments": {…}}]}
Call tools to do the work; you will see their results in the next message. Once the request is
done, say so in "text" and leave "tools" empty.

These are the tools, with the JSON schema of their arguments:
"""


def _finite(text: str) -> float:
    """Return a number that JSON can hold, which `NaN` and `1e999` are not."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


_DECODER = json.JSONDecoder(strict=False, parse_float=_finite, parse_constant=_finite)


def build_request(
    request: ChatRequest, *, thinking: ThinkingLevel | None = None
) -> CompletionRequest:
    """Return what the model is asked for the next assistant message of `request`."""
    tools = [tool.get("function") for tool in request.tools if isinstance(tool, dict)]
    functions = [one for one in tools if isinstance(one, dict)]
    described = "\n".join(json.dumps(one, ensure_ascii=False) for one in functions)
    system = [text_of(one) for one in request.messages if role_of(one) == "system"]
    first = PromptMessage("system", "\n\n".join((*system, _FORM.strip() + "\n" + described)))
    rest = (one for one in request.messages if role_of(one) != "system")
    return CompletionRequest(
        messages=(first, *_joined(map(_prompt_message, rest))),
        schema=_reply_schema(functions),
        thinking=thinking,
        max_output_tokens=request.max_output_tokens or MAX_REPLY_TOKENS,
    )


def parse_reply(text: str, *, number: int) -> tuple[str, tuple[Call, ...]]:
    """Return what a model says and the calls it makes; `number` makes their ids unlike others'.

    Calls without a name or with arguments that are no object are left out. A text that holds no
    object is what the model says.
    """
    record = _find_object(text)
    if record is None:
        return text.strip(), ()
    said, tools = record.get("text"), record.get("tools")
    calls = [one for one in tools if isinstance(one, dict)] if isinstance(tools, list) else []
    return said.strip() if isinstance(said, str) else "", tuple(_calls(calls, number))


def _calls(tools: list[dict[str, JsonValue]], number: int) -> Iterator[Call]:
    for at, tool in enumerate(tools, 1):
        name, arguments = tool.get("name"), tool.get("arguments")
        if isinstance(name, str) and isinstance(arguments, dict):
            yield Call(id=f"call_{number}_{at}", name=name, arguments=arguments)


def _find_object(text: str) -> Mapping[str, JsonValue] | None:
    """Return the first object that stands whole in `text` and has one of the reply's keys.

    None where an object is cut off: what stands whole in it, the arguments of a call say, is no
    reply; where it is nested deeper than any tool's arguments are; and where too many braces come
    before it.
    """
    for brace in islice(re.finditer("{", text), _MAX_BRACES):
        try:
            record, _ = _DECODER.raw_decode(text, brace.start())
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError) and _is_cut(error):
                return None
            continue
        if isinstance(record, dict) and record.keys() & {"text", "tools"}:
            return record if _is_within(record, _MAX_DEPTH) else None
    return None


def _is_within(value: JsonValue, depth: int) -> bool:
    """Return whether `value` is nested at most `depth` deep."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_within(one, depth - 1) for one in inner)


def _is_cut(error: json.JSONDecodeError) -> bool:
    return error.msg.startswith("Unterminated") or not error.doc[error.pos :].strip()


def _prompt_message(message: Mapping[str, JsonValue]) -> PromptMessage:
    """Return one message of pi's in words: a call as the model itself wrote it, a result named."""
    text = text_of(message)
    if role_of(message) == "assistant":
        said = {"text": text, "tools": list(past_calls(message))}
        return PromptMessage("assistant", json.dumps(said, ensure_ascii=False))
    if role_of(message) == "tool":
        return PromptMessage("user", f"[result of {message.get('tool_call_id')}]\n{text}")
    return PromptMessage("user", text)


def past_calls(message: Mapping[str, JsonValue]) -> Iterator[dict[str, JsonValue]]:
    """Yield the `name` and `arguments` of each call in an assistant message of a request.

    Arguments that are no JSON stand as the text that they are.
    """
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield {"name": function.get("name"), "arguments": _arguments(function)}


def _arguments(function: Mapping[str, JsonValue]) -> JsonValue:
    text = function.get("arguments")
    try:
        arguments: JsonValue = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        arguments = text
    return arguments


def _joined(messages: Iterator[PromptMessage]) -> Iterator[PromptMessage]:
    """Yield the messages with neighbours of one role as one: some APIs refuse two in a row."""
    waiting: PromptMessage | None = None
    for message in messages:
        if waiting is not None and waiting.role == message.role:
            waiting = PromptMessage(message.role, f"{waiting.text}\n\n{message.text}")
            continue
        if waiting is not None:
            yield waiting
        waiting = message
    if waiting is not None:
        yield waiting


def _reply_schema(functions: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "tools": {
                "type": "array",
                "items": {"anyOf": [_call_schema(one) for one in functions]},
            },
        },
        "required": ["text", "tools"],
        "additionalProperties": False,
    }


def _call_schema(function: Mapping[str, JsonValue]) -> JsonValue:
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "enum": [function.get("name")]},
            "arguments": function.get("parameters") or {"type": "object"},
        },
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }
