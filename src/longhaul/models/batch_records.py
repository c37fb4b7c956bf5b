"""What the files of `batch:` hold: a request as JSON, and a reply from it."""

import hashlib
import json
from collections.abc import Mapping
from typing import TypeVar, get_args

from longhaul.compaction.completion import (
    THINKING_LEVELS,
    Completion,
    CompletionRequest,
    PromptMessage,
    Role,
    StopReason,
)
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError, find_literal

_Text = TypeVar("_Text", bound=str)
_ROLES: tuple[Role, ...] = get_args(Role)
_STOP_REASONS: tuple[StopReason, ...] = get_args(StopReason)
_MAX_SECONDS = 1e9
_MAX_COUNT = 10**12
"""Of tokens, say; past what any model counts."""


class MissingFieldError(ShapeError):
    """A field that has to be there is not; `str()` gives `has no field`."""

    def __init__(self, field: str) -> None:
        """Keep which field it is."""
        super().__init__(field, "a value", None)

    def __str__(self) -> str:
        """Return the error as it follows the file's name."""
        return f"has no {self.field}"


def dump_request(request: CompletionRequest) -> dict[str, JsonValue]:
    """Return all that `request` holds, as JSON."""
    return {
        "messages": [{"role": one.role, "text": one.text} for one in request.messages],
        "schema": dict(request.schema),
        "thinking": request.thinking,
        "maxOutputTokens": request.max_output_tokens,
        "repeat": request.repeat,
    }


def hash_request(request: CompletionRequest) -> str:
    """Return the SHA-256 of all that `request` holds, in hex.

    Equal requests have the same: it is taken of their JSON with sorted keys, no white space and
    everything outside ASCII escaped.
    """
    canonical = json.dumps(dump_request(request), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def parse_request(record: JsonValue) -> CompletionRequest:
    """Return the request that `record` holds.

    Raises:
        ShapeError: a field is missing or of another type.
    """
    fields = _object(record, "")
    messages = _get(fields, "messages")
    if not isinstance(messages, list):
        raise ShapeError("messages", "a list", messages)
    return CompletionRequest(
        messages=tuple(_message(one, f"messages[{at}]") for at, one in enumerate(messages)),
        schema=_object(_get(fields, "schema"), "schema"),
        thinking=_one_of(fields, "thinking", THINKING_LEVELS),
        max_output_tokens=_needed(fields, "maxOutputTokens"),
        repeat=_needed(fields, "repeat"),
    )


def parse_reply(record: JsonValue) -> Completion:
    """Return the reply that `record` holds.

    Only `text` has to be there. Where `stopReason` is missing it is `stop`, and `model` is `batch`.

    Raises:
        ShapeError: a field is missing or of another type.
    """
    fields = _object(record, "")
    return Completion(
        text=_text(_get(fields, "text"), "text"),
        stop_reason=_one_of(fields, "stopReason", _STOP_REASONS) or "stop",
        model=_text(fields.get("model", "batch"), "model"),
        tokens_in=_count(fields, "tokensIn"),
        tokens_out=_count(fields, "tokensOut"),
        tokens_cached=_count(fields, "tokensCached"),
        seconds=_seconds(fields),
    )


def _message(value: JsonValue, field: str) -> PromptMessage:
    fields = _object(value, field)
    _get(fields, "role", f"{field}.role")
    role = _one_of(fields, "role", _ROLES)
    if role is None:
        raise ShapeError(f"{field}.role", "a role", None)
    return PromptMessage(role, _text(_get(fields, "text", f"{field}.text"), f"{field}.text"))


def _get(fields: Mapping[str, JsonValue], key: str, field: str = "") -> JsonValue:
    if key not in fields:
        raise MissingFieldError(field or key)
    return fields[key]


def _object(value: JsonValue, field: str) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise ShapeError(field, "an object", value)
    return value


def _text(value: JsonValue, field: str) -> str:
    if not isinstance(value, str):
        raise ShapeError(field, "a text", value)
    return value


def _one_of(fields: Mapping[str, JsonValue], key: str, allowed: tuple[_Text, ...]) -> _Text | None:
    value = fields.get(key)
    if value is None:
        return None
    found = find_literal(value, allowed)
    if found is None:
        raise ShapeError(key, f"one of {', '.join(allowed)}", value)
    return found


def _needed(fields: Mapping[str, JsonValue], key: str) -> int:
    _get(fields, key)
    count = _count(fields, key)
    if count is None:
        raise ShapeError(key, "a whole number", None)
    return count


def _count(fields: Mapping[str, JsonValue], key: str) -> int | None:
    value = fields.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ShapeError(key, "a whole number from 0", value)
    if value > _MAX_COUNT:
        raise ShapeError(key, f"a whole number up to {_MAX_COUNT:.0e}", value)
    return value


def _seconds(fields: Mapping[str, JsonValue]) -> float | None:
    value = fields.get("seconds")
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ShapeError("seconds", "a number", value)
    if not 0 <= value < _MAX_SECONDS:
        raise ShapeError("seconds", f"a number from 0 to {_MAX_SECONDS:.0e}", value)
    return float(value)
