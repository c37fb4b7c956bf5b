"""The JSON of a label file, read strictly: what stands in it twice would silently be lost."""

import json
from collections import Counter
from typing import NoReturn

from longhaul.evals.fields import place_of
from longhaul.transcript.entries import JsonValue


class _Object(dict[str, JsonValue]):
    """An object, and the first key that stands in it twice."""

    twice: str | None = None


def decode_labels(data: bytes) -> JsonValue:
    """Return the value that the bytes of a label file hold; a byte order mark may precede it.

    Raises:
        ValueError: it is not UTF-8, not JSON, nested too deeply, or a key stands twice in an
            object; the message says where, in part of a line.
    """
    try:
        value: JsonValue = json.loads(
            data.decode("utf-8-sig"),
            parse_constant=_refuse_constant,
            object_pairs_hook=_keep_repetition,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: byte {error.start} is {data[error.start]:#04x}") from None
    except RecursionError:
        raise ValueError("not a label file: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    _refuse_repetition(value)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no value of it")


def _keep_repetition(pairs: list[tuple[str, JsonValue]]) -> _Object:
    record = _Object(pairs)
    if len(record) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        record.twice = next(name for name, number in counts.items() if number > 1)
    return record


def _refuse_repetition(value: JsonValue) -> None:
    """Refuse an object with a key twice; without recursion, for a value may be nested deeply."""
    open_values = [("", value)]
    while open_values:
        place, one = open_values.pop()
        if isinstance(one, _Object):
            if one.twice is not None:
                raise ValueError(f"{place_of(one.twice, place)} stands there twice")
            open_values += [(place_of(name, place), item) for name, item in one.items()]
        elif isinstance(one, list):
            open_values += [(f"{place}[{index}]", item) for index, item in enumerate(one)]
