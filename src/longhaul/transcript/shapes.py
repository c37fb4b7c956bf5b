"""Values that are not of the expected type, named by the field that holds them."""

from collections.abc import Iterable
from typing import TypeVar

from longhaul.transcript.entries import JsonValue

_Text = TypeVar("_Text", bound=str)

MAX_EXACT_INTEGER = 2**53
"""Up to here JavaScript's numbers hold every integer."""


class ShapeError(Exception):
    """A field holds another type than the format says; `str()` gives `field: expected …, got …`."""

    def __init__(self, field: str, expected: str, got: object) -> None:
        """Keep the three parts apart until a caller knows what surrounds the field."""
        super().__init__(field, expected, got)
        self.field = field
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        """Return the error as it follows `file:line`."""
        return f"{self.field}: expected {self.expected}, got {name_type(self.got)}"

    def within(self, field: str) -> "ShapeError":
        """Return the same error as seen from the record that holds `field`, or as that field's."""
        inner = f"{field}.{self.field}" if self.field else field
        return ShapeError(inner, self.expected, self.got)


def name_type(value: object) -> str:
    """Return the type of a decoded JSON value as errors name it."""
    return "null" if value is None else type(value).__name__


def find_literal(value: object, literals: Iterable[_Text]) -> _Text | None:
    """Return the one of `literals` that `value` is, or None."""
    return next((literal for literal in literals if literal == value), None)


def is_truthy(value: JsonValue) -> bool:
    """Return what JavaScript's `if (value)` decides: empty lists and objects count as true."""
    return bool(value) or isinstance(value, (list, dict))


def text_or_empty(value: JsonValue) -> str:
    """Return `value` where it is a string, else an empty one: for fields that pi never checks."""
    return value if isinstance(value, str) else ""


def number_or_zero(value: JsonValue) -> float:
    """Return a number as JavaScript holds it, past 2**53 rounded to a double; else 0."""
    if isinstance(value, int):
        return value if abs(value) <= MAX_EXACT_INTEGER else float(value)
    return value if isinstance(value, float) else 0
