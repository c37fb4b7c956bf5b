"""JSON text as JavaScript's `JSON.parse` reads it, at the speed of orjson where the two agree."""

import json
import re
from typing import NoReturn

import orjson

from longhaul.transcript.entries import JsonValue

WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's `trim` takes away."""

_MAX_EXACT_DIGITS = 15
_KEPT_DEPTH = 200
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]')


def parse_json(data: bytes) -> JsonValue:
    """Return the value that `data` holds.

    Where orjson refuses what JavaScript takes (lone surrogates, bytes that are not UTF-8, numbers
    past the largest double), Python's parser decides, without its own additions to JSON. What is
    nested deeper than either can follow is replaced by null from some depth on.

    Raises:
        ValueError: JavaScript refuses it too.
    """
    try:
        value: JsonValue = orjson.loads(data)
    except orjson.JSONDecodeError:
        return _parse_leniently(data.decode("utf-8", "replace"))
    return value


def is_blank(data: bytes) -> bool:
    """Return whether JavaScript's `trim` leaves nothing of a line."""
    return not data.decode("utf-8", "replace").strip(WHITE_SPACE)


def _parse_leniently(text: str) -> JsonValue:
    try:
        return _loads(text)
    except RecursionError:
        return _loads(_flatten(text))


def _loads(text: str) -> JsonValue:
    value: JsonValue = json.loads(text, parse_constant=_refuse_constant, parse_int=_parse_int)
    return value


def _flatten(text: str) -> str:
    """Return JSON text with null in place of every object and list below the depth that is kept."""
    parts: list[str] = []
    start = depth = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        if token[0] in {"[", "{"}:
            depth += 1
            if depth == _KEPT_DEPTH + 1:
                parts.append(text[start : token.start()] + "null")
        elif token[0] in {"]", "}"}:
            if depth == _KEPT_DEPTH + 1:
                start = token.end()
            depth -= 1
    return "".join(parts) + text[start:]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _parse_int(digits: str) -> float:
    return int(digits) if len(digits) <= _MAX_EXACT_DIGITS else float(digits)
