"""The JSON schema of a diff.

Lists come before free text, so that a reply cut at the output limit has lost its narrative first.
Everything is required and closed, every pattern anchored, every length bounded: OpenAI's strict
mode and llama.cpp's grammars take it as it stands.
"""

import json
from collections.abc import Mapping
from typing import get_args

from longhaul.compaction.state import NoteKind
from longhaul.transcript.entries import JsonValue

_MAX_QUOTE_CHARS = 400
_MAX_WHAT_CHARS = 120
_MAX_NOTE_CHARS = 240
_MAX_VALUE_CHARS = 80
_TURN: JsonValue = {"type": "string", "pattern": "^u[0-9]{1,6}$"}
_NAME: JsonValue = {"type": "string", "pattern": "^[ru][0-9]{1,6}$"}


def _text(max_chars: int) -> JsonValue:
    return {"type": "string", "maxLength": max_chars}


def _list(max_items: int, **fields: JsonValue) -> JsonValue:
    return {"type": "array", "maxItems": max_items, "items": _object(fields)}


def _object(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": [*fields],
        "additionalProperties": False,
    }


DIFF_SCHEMA: Mapping[str, JsonValue] = _object(
    {
        "rules": _list(40, message=_TURN, quote=_text(_MAX_QUOTE_CHARS)),
        "lifts": _list(20, rule=_NAME, message=_TURN, quote=_text(_MAX_QUOTE_CHARS)),
        "oneOffs": {"type": "array", "maxItems": 40, "items": _NAME},
        "values": _list(
            30, value=_text(_MAX_VALUE_CHARS), message=_TURN, what=_text(_MAX_WHAT_CHARS)
        ),
        "narrative": _list(
            16,
            kind={"type": "string", "enum": [*get_args(NoteKind)]},
            message=_TURN,
            text=_text(_MAX_NOTE_CHARS),
        ),
    }
)
"""What a model is held to, keys in the order in which they are to be answered."""

SCHEMA_TOKENS = len(json.dumps(DIFF_SCHEMA, separators=(",", ":"))) // 4
"""What the schema adds to a request where a provider counts it as input."""
