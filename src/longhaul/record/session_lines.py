"""The lines of a session file as a check looks at them: decoded, and every string in them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath

from longhaul.pi.json_text import is_blank, parse_json
from longhaul.transcript.entries import JsonValue

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"')
_COLOURS = re.compile(r"(?:\x1b|\\(?:u001[bB]|x1[bB]|033|e))\[[0-?]*+[ -/]*+[@-~]")
"""Terminal sequences, as they are and as source text spells them."""
_SHORT_CHARS = 200
"""Most characters of a string that stays in an outline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a session file."""

    number: int
    """Counted from 1."""
    record: dict[str, JsonValue] | None
    """What it holds; None where it is damaged, blank or no object."""
    texts: tuple[str, ...]
    """Every string in it, keys included, decoded, with a space for each terminal sequence.

    Strings are taken from the line itself, so that neither depth nor a key that stands twice hides
    one. Of a line that is damaged, all of it as it stands.
    """
    outline: str = ""
    """The line as it stands, long strings emptied: what a key and its value give together."""
    is_blank: bool = False
    is_utf8: bool = True


def parse_line(data: bytes, number: int) -> Line:
    """Return line `number` of a session file from its bytes; nothing in them is an error."""
    raw = data.decode("utf-8", "replace")
    blank, utf8 = is_blank(data), _is_utf8(data)
    try:
        value = parse_json(data)
    except ValueError:
        texts = () if blank else (_uncoloured(raw),)
        return Line(number=number, record=None, texts=texts, is_blank=blank, is_utf8=utf8)
    return Line(
        number=number,
        record=value if isinstance(value, dict) else None,
        texts=tuple(_uncoloured(_decode(literal)) for literal in _STRING.findall(raw)),
        outline=_STRING.sub(_shorten, raw),
        is_utf8=utf8,
    )


def read_lines(file: FilePath) -> Iterator[Line]:
    """Yield the lines of a session file, one at a time.

    Raises:
        OSError: it cannot be read.
    """
    with file.open("rb") as stream:
        for number, data in enumerate(stream, 1):
            yield parse_line(data, number)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decode(literal: str) -> str:
    if "\\" not in literal:
        return literal[1:-1]
    text: str = json.loads(literal)
    return text


def _shorten(literal: re.Match[str]) -> str:
    return literal[0] if len(literal[0]) <= _SHORT_CHARS else '""'


def _uncoloured(text: str) -> str:
    return _COLOURS.sub(" ", text) if "[" in text else text
