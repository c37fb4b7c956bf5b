"""The messages between the pi extension and `serve`: JSON-RPC 2.0, one message a line.

`docs/pi.md` describes each method. Python's own `json` reads them, because pi's strings may hold
lone surrogates, which orjson refuses.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from longhaul.compaction.white_space import fold_space
from longhaul.errors import LonghaulError
from longhaul.transcript.entries import JsonValue

PROTOCOL_VERSION = 1
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
class Source:
    """Where one path of a session is to be read from."""

    session_id: str
    leaf_id: str
    session_file: str | None
    """Absolute path of the session file; None where `records` are sent."""
    records: tuple[Params, ...] = ()
    """The header and the entries from root to leaf, of a session that has no file."""
    context_window: int | None = None
    """Tokens of the session's model; None where pi does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactParams:
    """What pi is about to compact."""

    source: Source
    first_kept_entry_id: str
    tokens_before: int
    instructions: str = ""
    """What the user wrote after `/compact`."""


def parse_request(line: bytes | str) -> Request:
    """Return the request that one line holds.

    Raises:
        ProtocolError: it is no JSON, or no JSON-RPC 2.0 request.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(PARSE_ERROR, f"the line is not JSON: {error}") from error
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, "the message is not JSON-RPC 2.0")
    request_id, method, params = message.get("id"), message.get("method"), message.get("params", {})
    if not isinstance(request_id, int | str | None) or isinstance(request_id, bool):
        raise ProtocolError(INVALID_REQUEST, "id: expected a number or a string")
    if not isinstance(method, str) or not isinstance(params, dict):
        raise ProtocolError(INVALID_REQUEST, "expected a method and its params", request_id)
    return Request(request_id, method, params)


def parse_source(params: Params) -> Source:
    """Return where the session of a request is.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    session_file = params.get("sessionFile")
    if session_file is not None and not isinstance(session_file, str):
        raise _unexpected("sessionFile", "str or null", session_file)
    window = params.get("contextWindow")
    return Source(
        session_id=_text(params, "sessionId"),
        leaf_id=_text(params, "leafId"),
        session_file=session_file,
        records=() if session_file is not None else _records(params, "records"),
        context_window=window if isinstance(window, int) and window > 0 else None,
    )


def parse_compact(params: Params) -> CompactParams:
    """Return the compaction that a request asks for.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    tokens_before = params.get("tokensBefore")
    if isinstance(tokens_before, bool) or not isinstance(tokens_before, int | float):
        raise _unexpected("tokensBefore", "number", tokens_before)
    return CompactParams(
        source=parse_source(params),
        first_kept_entry_id=_text(params, "firstKeptEntryId"),
        tokens_before=int(tokens_before),
        instructions=_text(params, "instructions") if "instructions" in params else "",
    )


def render_result(request_id: int | str, result: Params) -> bytes:
    """Return the line that answers a request."""
    return _render({"jsonrpc": "2.0", "id": request_id, "result": dict(result)})


def render_error(request_id: JsonValue, code: int, message: str) -> bytes:
    """Return the line that says why a request has no result; `message` is cut to one line."""
    line = fold_space(message)[:500]
    error: JsonValue = {"code": code, "message": line or "no reason given"}
    return _render({"jsonrpc": "2.0", "id": request_id, "error": error})


def _render(message: Mapping[str, JsonValue]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _text(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise _unexpected(name, "str", value)
    return value


def _records(params: Params, name: str) -> tuple[Params, ...]:
    value = params.get(name)
    if not isinstance(value, list):
        raise _unexpected(name, "list", value)
    return tuple(item for item in value if isinstance(item, dict))


def _unexpected(name: str, expected: str, value: JsonValue) -> ProtocolError:
    message = f"{name}: expected {expected}, got {type(value).__name__}"
    return ProtocolError(INVALID_PARAMS, message)
