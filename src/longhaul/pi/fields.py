"""The fields of what the extension sends, each checked for its type."""

from longhaul.pi.protocol import INVALID_PARAMS, Params, ProtocolError
from longhaul.transcript.entries import JsonValue


def parse_text(params: Params, name: str) -> str:
    """Return the text in a field.

    Raises:
        ProtocolError: it is missing or of another type; the message names the field, as in all of
            these.
    """
    value = params.get(name)
    if not isinstance(value, str):
        raise _unexpected(name, "str", value)
    return value


def parse_text_or_null(params: Params, name: str) -> str | None:
    """Return the text in a field; None where there is none.

    Raises:
        ProtocolError: it is of another type.
    """
    value = params.get(name)
    if value is not None and not isinstance(value, str):
        raise _unexpected(name, "str or null", value)
    return value


def parse_number(params: Params, name: str) -> float:
    """Return the number in a field.

    Raises:
        ProtocolError: it is missing or of another type.
    """
    value = params.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _unexpected(name, "number", value)
    return value


def parse_records(params: Params, name: str) -> tuple[Params, ...]:
    """Return the objects of the list in a field.

    Raises:
        ProtocolError: it is missing or of another type.
    """
    value = params.get(name)
    if not isinstance(value, list):
        raise _unexpected(name, "list", value)
    return tuple(item for item in value if isinstance(item, dict))


def _unexpected(name: str, expected: str, value: JsonValue) -> ProtocolError:
    message = f"{name}: expected {expected}, got {type(value).__name__}"
    return ProtocolError(INVALID_PARAMS, message)
