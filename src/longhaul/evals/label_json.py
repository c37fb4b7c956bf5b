"""The JSON of a label file, read strictly: what stands in it twice would silently be lost."""

import json
from collections import Counter
from functools import partial
from typing import NoReturn, TypeAlias

from longhaul.evals.fields import place_of
from longhaul.transcript.entries import JsonValue

_Twice: TypeAlias = dict[int, tuple[dict[str, JsonValue], str]]
"""Objects that hold a key twice, with that key, by their `id`; held here, so that none is freed."""

_MAX_EXACT_DIGITS = 15


def decode_labels(data: bytes) -> JsonValue:
    """Return the value that the bytes of a label file hold; a byte order mark may precede it.

    Raises:
        ValueError: it is not UTF-8, not JSON, nested too deeply, or a key stands twice in an
            object; the message says where, in part of a line.
    """
    twice: _Twice = {}
    try:
        value: JsonValue = json.loads(
            data.decode("utf-8-sig"),
            parse_constant=_refuse_constant,
            parse_int=_parse_int,
            object_pairs_hook=partial(_keep_repetition, twice),
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: byte {error.start} is {data[error.start]:#04x}") from None
    except RecursionError:
        raise ValueError("not a label file: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    _refuse_repetition(value, twice)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no value of it")


def _parse_int(digits: str) -> JsonValue:
    """Return a number; no label is one, so what is too long for Python need not be exact."""
    return int(digits) if len(digits) <= _MAX_EXACT_DIGITS else float(digits)


def _keep_repetition(twice: _Twice, pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    record = dict(pairs)
    if len(record) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice[id(record)] = record, next(name for name, number in counts.items() if number > 1)
    return record


def _refuse_repetition(value: JsonValue, twice: _Twice) -> None:
    """Refuse an object with a key twice; without recursion, for a value may be nested deeply."""
    open_values = [("", value)]
    while open_values:
        place, one = open_values.pop()
        if id(one) in twice:
            _, name = twice[id(one)]
            raise ValueError(f"{place_of(name, place)} stands there twice")
        if isinstance(one, dict):
            open_values += [(place_of(name, place), item) for name, item in one.items()]
        elif isinstance(one, list):
            open_values += [(f"{place}[{index}]", item) for index, item in enumerate(one)]
