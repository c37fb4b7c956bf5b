"""Frozen dataclasses to JSON values and back, checked field by field against their annotations."""

import dataclasses
import math
import types
from collections.abc import Hashable
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from longhaul.errors import TranscriptError
from longhaul.transcript.entries import JsonValue

_T = TypeVar("_T")


def dump_record(value: object) -> JsonValue:
    """Return `value` as JSON: dataclasses as objects without defaulted fields, tuples as lists."""
    if isinstance(value, tuple):
        return [dump_record(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)  # as JavaScript writes it, so that it survives pi unchanged
    if not dataclasses.is_dataclass(value):
        return cast("JsonValue", value)
    fields = dataclasses.fields(value)
    pairs = ((field, getattr(value, field.name)) for field in fields)
    return {field.name: dump_record(item) for field, item in pairs if item != field.default}


def parse_record(cls: type[_T], record: object, *, where: str) -> _T:
    """Return the dataclass `cls` that `record`, a decoded JSON object, holds.

    Raises:
        TranscriptError: a field is missing, unknown or of another type; the message starts with
            `where` and the field's path.
    """
    if not isinstance(record, dict):
        raise TranscriptError(f"{where}: expected object, got {type(record).__name__}")
    hints = _hints(cast("Hashable", cls))
    unknown = record.keys() - hints.keys()
    if unknown:
        raise TranscriptError(f"{where}: unknown field {min(unknown)!r}")
    known = {name: _parse(hints[name], item, f"{where}.{name}") for name, item in record.items()}
    try:
        return cls(**known)
    except TypeError as error:
        raise TranscriptError(f"{where}: {error}") from None


@cache
def _hints(cls: Hashable) -> dict[str, Any]:
    return get_type_hints(cls)


def _parse(hint: Any, item: object, where: str) -> object:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        inner = next(arg for arg in get_args(hint) if arg is not type(None))
        return None if item is None else _parse(inner, item, where)
    if origin is tuple:
        return _parse_list(get_args(hint)[0], item, where)
    if dataclasses.is_dataclass(hint):
        return parse_record(cast("type[object]", hint), item, where=where)
    if origin is Literal:
        accepted = item in get_args(hint) and isinstance(item, str)
    else:
        accepted = _is_plain(hint, item)
    if not accepted:
        raise TranscriptError(f"{where}: unexpected {type(item).__name__}")
    return item


def _parse_list(hint: object, item: object, where: str) -> tuple[object, ...]:
    if not isinstance(item, list):
        raise TranscriptError(f"{where}: expected list, got {type(item).__name__}")
    return tuple(_parse(hint, part, f"{where}[{index}]") for index, part in enumerate(item))


def _is_plain(hint: type, item: object) -> bool:
    if isinstance(item, bool):
        return hint is bool
    if hint is float:
        return isinstance(item, (int, float)) and math.isfinite(item)
    return isinstance(item, hint)
