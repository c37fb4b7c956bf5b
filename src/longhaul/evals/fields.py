"""Fields of hand-written files, each checked for what it may hold; errors name its place."""

import json
import re
from collections.abc import Mapping

from longhaul.evals.markers import MarkerError, compile_marker
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError

Fields = Mapping[str, JsonValue]

_MAX_SHOWN_CHARS = 60


class FieldValueError(ShapeError):
    """A field has the right type and holds what the format does not allow; `str()` shows it."""

    def __str__(self) -> str:
        """Return the error with the value as JSON, clipped."""
        shown = json.dumps(self.got, ensure_ascii=False)
        if len(shown) > _MAX_SHOWN_CHARS:
            shown = f"{shown[:_MAX_SHOWN_CHARS]}…"
        return f"{self.field}: expected {self.expected}, got {shown}"


def place_of(name: str, within: str) -> str:
    """Return where a field stands, as errors name it: `rules[2].marker`."""
    return f"{within}.{name}" if within else name


def parse_object(value: JsonValue, place: str) -> Fields:
    """Return a value that is an object.

    Raises:
        ShapeError: it is of another type; the message names `place`, as in all of these.
    """
    if not isinstance(value, dict):
        raise ShapeError(place, "object", value)
    return value


def parse_list(fields: Fields, name: str, within: str = "") -> list[tuple[str, JsonValue]]:
    """Return the items of the list in a field, each behind its own place: `rules[2]`.

    Raises:
        ShapeError: it is missing or of another type.
    """
    value, place = fields.get(name), place_of(name, within)
    if not isinstance(value, list):
        raise ShapeError(place, "list", value)
    return [(f"{place}[{index}]", item) for index, item in enumerate(value)]


def parse_objects(fields: Fields, name: str, within: str = "") -> list[tuple[str, Fields]]:
    """Return the objects of the list in a field, each behind its own place.

    Raises:
        ShapeError: it is missing or of another type, or an item is no object.
    """
    return [(place, parse_object(item, place)) for place, item in parse_list(fields, name, within)]


def parse_text(fields: Fields, name: str, within: str = "") -> str:
    """Return the text in a field.

    Raises:
        ShapeError: it is missing or of another type.
    """
    value = fields.get(name)
    if not isinstance(value, str):
        raise ShapeError(place_of(name, within), "str", value)
    return value


def parse_optional_text(fields: Fields, name: str, within: str = "") -> str:
    """Return the text in a field; empty where it is missing or null.

    Raises:
        ShapeError: it is of another type.
    """
    return "" if fields.get(name) is None else parse_text(fields, name, within)


def parse_marker(fields: Fields, within: str = "") -> str:
    """Return the marker in a field: a regular expression, which is searched in any case.

    Raises:
        ShapeError: it is missing, of another type, no regular expression, or one that takes more
            than a second to compile.
    """
    marker = parse_text(fields, "marker", within)
    place = place_of("marker", within)
    try:
        compile_marker(marker)
    except (re.error, RecursionError, OverflowError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else error
        raise FieldValueError(place, f"a regular expression ({reason})", marker) from None
    except MarkerError:
        expected = "a regular expression that compiles within a second"
        raise FieldValueError(place, expected, marker) from None
    return marker


def parse_number(fields: Fields, name: str, within: str = "") -> float | None:
    """Return the number in a field; None where it is missing or null.

    Raises:
        ShapeError: it is of another type.
    """
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ShapeError(place_of(name, within), "number", value)
    return value


def parse_count(fields: Fields, name: str, within: str = "") -> int | None:
    """Return the whole number, 0 or more, in a field; None where it is missing or null.

    Raises:
        ShapeError: it is of another type, or less than 0.
    """
    value = parse_number(fields, name, within)
    if value is None or (isinstance(value, int) and value >= 0):
        return value
    raise FieldValueError(place_of(name, within), "a whole number", fields[name])


def parse_flag(fields: Fields, name: str, within: str = "") -> bool:
    """Return the truth value in a field; false where it is missing.

    Raises:
        ShapeError: it is of another type.
    """
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise ShapeError(place_of(name, within), "bool", value)
    return value


def parse_texts(fields: Fields, name: str, within: str = "") -> tuple[str, ...]:
    """Return the texts of the list in a field; empty where it is missing.

    Raises:
        ShapeError: it is of another type, or an item is no text.
    """
    if name not in fields:
        return ()
    items = parse_list(fields, name, within)
    for place, item in items:
        if not isinstance(item, str):
            raise ShapeError(place, "str", item)
    return tuple(item for _, item in items if isinstance(item, str))
