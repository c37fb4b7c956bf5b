"""JSON text as JavaScript's `JSON.parse` reads it, at the speed of orjson where the two agree."""

import json
from typing import NoReturn, cast

import orjson

from longhaul.transcript.entries import JsonValue

WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's `trim` takes away."""

_MAX_EXACT_DIGITS = 15


def parse_json(data: bytes) -> JsonValue:
    """Return the value that `data` holds.

    Where orjson refuses what JavaScript takes (lone surrogates, bytes that are not UTF-8, numbers
    past the largest double), Python's parser decides, without its own additions to JSON.

    Raises:
        ValueError: JavaScript refuses it too, or it is nested too deep for Python.
    """
    try:
        return cast("JsonValue", orjson.loads(data))
    except orjson.JSONDecodeError:
        return _parse_leniently(data.decode("utf-8", "replace"))


def is_blank(data: bytes) -> bool:
    """Return whether JavaScript's `trim` leaves nothing of a line."""
    return not data.decode("utf-8", "replace").strip(WHITE_SPACE)


def _parse_leniently(text: str) -> JsonValue:
    try:
        return cast(
            "JsonValue", json.loads(text, parse_constant=_refuse_constant, parse_int=_parse_int)
        )
    except RecursionError:
        raise ValueError("nested too deep") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _parse_int(digits: str) -> float:
    return int(digits) if len(digits) <= _MAX_EXACT_DIGITS else float(digits)
