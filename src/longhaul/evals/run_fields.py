"""Fields of the files of a run: numbers, truth values and lists of texts, each checked."""

from longhaul.evals.fields import Fields, FieldValueError, parse_list, place_of
from longhaul.transcript.shapes import ShapeError


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
