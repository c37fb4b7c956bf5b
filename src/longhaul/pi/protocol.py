"""The messages between the pi extension and `serve`: JSON-RPC 2.0, one message a line.

`docs/pi.md` describes each method; `params.py` reads what the extension's requests carry. Python's
own `json` decodes them, because pi's strings may hold lone surrogates, which orjson refuses.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from longhaul.compaction.white_space import fold_space
from longhaul.errors import LonghaulError
from longhaul.transcript.entries import JsonValue

PROTOCOL_VERSION = 2
"""Raised with every change that an older extension or package could misread."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
CANCELLED = -32800
SESSION_UNREADABLE = -32010
"""The session file does not hold the asked leaf, or cannot be read: send the entries instead."""

Params: TypeAlias = Mapping[str, JsonValue]


class ProtocolError(LonghaulError):
    """A request that cannot be answered with a result; `code` is JSON-RPC's."""

    def __init__(self, code: int, message: str, request_id: JsonValue = None) -> None:
        """Keep what the error response has to say; `request_id` is None where it is unknown."""
        super().__init__(message)
        self.code = code
        self.request_id = request_id


@dataclass(frozen=True, slots=True)
class Request:
    """One call, or a notification where `id` is None."""

    id: int | str | None
    method: str
    params: Params


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What the extension answers to a request of the server's."""

    id: str
    result: Params | None = None
    """None where there is an error instead."""
    error: str = ""
    """Why there is no result, in the extension's words."""
    data: Params = field(default_factory=dict)
    """What else an error brings."""


def parse_message(line: bytes | str) -> Request | Response:
    """Return the request, or the answer to one of the server's, that one line holds.

    Raises:
        ProtocolError: it is no JSON, or nothing that JSON-RPC 2.0 knows.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(PARSE_ERROR, f"the line is not JSON: {error}") from error
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, "the message is not JSON-RPC 2.0")
    if "method" not in message and ("result" in message or "error" in message):
        return _response(message)
    return _request(message)


def render_request(request_id: str, method: str, params: Params) -> bytes:
    """Return the line that asks the extension for something."""
    return _render({"jsonrpc": "2.0", "id": request_id, "method": method, "params": dict(params)})


def render_notification(method: str, params: Params) -> bytes:
    """Return the line that tells the extension something."""
    return _render({"jsonrpc": "2.0", "method": method, "params": dict(params)})


def render_result(request_id: int | str, result: Params) -> bytes:
    """Return the line that answers a request."""
    return _render({"jsonrpc": "2.0", "id": request_id, "result": dict(result)})


def render_error(request_id: JsonValue, code: int, message: str) -> bytes:
    """Return the line that says why a request has no result; `message` is cut to one line."""
    line = fold_space(message)[:500]
    error: JsonValue = {"code": code, "message": line or "no reason given"}
    return _render({"jsonrpc": "2.0", "id": request_id, "error": error})


def _request(message: dict[str, JsonValue]) -> Request:
    request_id, method, params = message.get("id"), message.get("method"), message.get("params", {})
    if not isinstance(request_id, int | str | None) or isinstance(request_id, bool):
        raise ProtocolError(INVALID_REQUEST, "id: expected a number or a string")
    if not isinstance(method, str) or not isinstance(params, dict):
        raise ProtocolError(INVALID_REQUEST, "expected a method and its params", request_id)
    return Request(request_id, method, params)


def _response(message: dict[str, JsonValue]) -> Response:
    """Return an answer; whatever is odd in it, the call it names must not wait in vain."""
    response_id, result, error = str(message.get("id")), message.get("result"), message.get("error")
    if isinstance(result, dict):
        return Response(id=response_id, result=result)
    if not isinstance(error, dict):
        return Response(id=response_id, error="pi's half answered with no result")
    data = error.get("data")
    text = fold_space(str(error.get("message")))
    return Response(id=response_id, error=text, data=data if isinstance(data, dict) else {})


def _render(message: Mapping[str, JsonValue]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"
