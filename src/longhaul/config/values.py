"""The values of a `longhaul.json`, from decoded JSON to what the settings hold."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from longhaul.errors import SettingsError
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import find_literal, name_type

MAX_SHOWN_CHARS = 60
SMOLLM2 = "smollm2"
"""The one local model that has a name: it comes as a package."""

_Text = TypeVar("_Text", bound=str)


def parse_choice(value: JsonValue, choices: Sequence[_Text]) -> _Text:
    """Return which of `choices` a value is.

    Raises:
        SettingsError: it is none of them; the message says what is expected, as all of these do.
    """
    choice = find_literal(value, choices)
    if choice is None:
        raise _unexpected(value, f"one of {', '.join(choices)}")
    return choice


def parse_model(value: JsonValue) -> str:
    """Return a model's name as it is written; whether there is such a model is not looked at.

    Raises:
        SettingsError: it cannot be a model's name, or its path is relative: a settings file holds
            for commands in any folder, and for pi, whose server works in none of the user's.
    """
    if isinstance(value, str) and value.isprintable() and value == value.strip():
        scheme, colon, rest = value.partition(":")
        if colon and rest and scheme in {"local", "batch"}:
            if not rest.startswith(("/", "~")) and value != f"local:{SMOLLM2}":
                raise _unexpected(value, f"the whole path, as in {scheme}:/… or {scheme}:~/…")
            return value
        provider, _, model_id = value.partition("/")
        if provider and model_id and " " not in value:
            return value
    raise _unexpected(value, "provider/model-id[:thinking], local:… or batch:…")


def parse_number(value: JsonValue, low: float, high: float) -> float:
    """Return a number from `low` to `high`.

    Raises:
        SettingsError: it is none.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise _unexpected(value, f"a number from {low:,} to {high:,}")


def parse_whole_number(value: JsonValue, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`.

    Raises:
        SettingsError: it is none.
    """
    if isinstance(value, (int, float)) and low <= value <= high and value == int(value):
        return int(value)
    raise _unexpected(value, f"a whole number from {low:,} to {high:,}")


def parse_names(value: JsonValue) -> tuple[str, ...]:
    """Return a list of names, each once, in its order.

    Raises:
        SettingsError: it is no list of texts.
    """
    return tuple(dict.fromkeys(_parse_texts(value, "a list of names")))


def parse_folders(value: JsonValue, *, base: Path, home: Path) -> tuple[Path, ...]:
    """Return a list of folders as absolute paths, in its order.

    `~` is `home`; what is relative counts from `base`. None has to exist.

    Raises:
        SettingsError: it is no list of texts.
    """
    return tuple(_place(text, base, home) for text in _parse_texts(value, "a list of folders"))


def show_text(text: str) -> str:
    """Return a text out of a file in quotes, on one line, clipped, and harmless to a terminal."""
    clipped = text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}…"
    return repr(clipped)


def _parse_texts(value: JsonValue, expected: str) -> list[str]:
    if not isinstance(value, list):
        raise _unexpected(value, expected)
    texts = [item for item in value if isinstance(item, str)]
    if len(texts) < len(value):
        stranger = next(item for item in value if not isinstance(item, str))
        raise SettingsError(f"expected {expected}, got {name_type(stranger)} in it")
    return texts


def _place(text: str, base: Path, home: Path) -> Path:
    if text == "~" or text.startswith("~/"):
        return home / text[1:].lstrip("/")
    return base / text


def _unexpected(value: JsonValue, expected: str) -> SettingsError:
    match value:
        case str():
            got = show_text(value)
        case bool() | None | list() | dict():
            got = name_type(value)
        case _:
            got = show_text(str(value)).strip("'")
    return SettingsError(f"expected {expected}, got {got}")
