"""Lengths as JavaScript counts them: UTF-16 units of a text, and of a value as JSON text."""

import re
from json.encoder import encode_basestring

from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import MAX_EXACT_INTEGER

_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE_EXTRA = len(r"\ud800") - 1
_MIN_EXPONENT, _MAX_EXPONENT = -7, 21
"""Outside of these powers of ten JavaScript writes a number with an exponent."""


def utf16_units(text: str) -> int:
    """Return the length that JavaScript gives `text`: two units for a character past U+FFFF."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def json_units(value: JsonValue) -> int:
    """Return the length of `JSON.stringify(value)` in UTF-16 units, without white space.

    However deep `value` is nested: a session file may nest deeper than Python recurses.
    """
    units, pending = 0, [value]
    while pending:
        match pending.pop():
            case list() as items:
                units += 2 + max(len(items) - 1, 0)
                pending += items
            case dict() as record:
                units += 2 + max(len(record) - 1, 0)
                units += sum(_string_units(key) + 1 for key in record)
                pending += record.values()
            case scalar:
                units += _scalar_units(scalar)
    return units


def _scalar_units(value: JsonValue) -> int:
    match value:
        case None | True:
            return 4
        case False:
            return 5
        case str():
            return _string_units(value)
        case int() | float():
            return len(number_text(value))
    raise AssertionError(value)


def number_text(number: float) -> str:
    """Return a number as JavaScript's JSON has it: 1.0 as 1, 1e-07 as 1e-7, infinity as null."""
    if isinstance(number, int) and abs(number) <= MAX_EXACT_INTEGER:
        return str(number)
    if number == 0:
        return "0"
    shortest = repr(float(number))
    if shortest[-1] in "fn":  # inf, nan
        return "null"
    sign = "-" if shortest.startswith("-") else ""
    digits, exponent = _significant(shortest.removeprefix("-"))
    return sign + _decimal(digits, exponent)


def _string_units(text: str) -> int:
    escaped = encode_basestring(text)
    if escaped.isascii():
        return len(escaped)
    return utf16_units(escaped) + _SURROGATE_ESCAPE_EXTRA * len(_SURROGATE.findall(escaped))


def _significant(shortest: str) -> tuple[str, int]:
    """Return the digits of a `repr` and the power of ten that the point after them stands for."""
    mantissa, _, power = shortest.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent = int(power or 0) - len(fraction)
    stripped = digits.rstrip("0")
    return stripped, exponent + len(digits) - len(stripped)


def _decimal(digits: str, exponent: int) -> str:
    point = len(digits) + exponent
    if len(digits) <= point <= _MAX_EXPONENT:
        return digits + "0" * exponent
    if 0 < point <= _MAX_EXPONENT:
        return f"{digits[:point]}.{digits[point:]}"
    if _MIN_EXPONENT < point - 1 < 0:
        return "0." + "0" * -point + digits
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
