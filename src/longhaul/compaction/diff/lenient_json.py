"""JSON as models write it: what is whole is read, however the rest looks.

Read are trailing and missing commas, comments, bare keys, quotation marks that a string forgot to
escape, and texts that end anywhere. Nothing here fails, and nothing takes more than linear time.
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

MAX_DEPTH = 32
"""Deeper nesting ends the reading: no reply that is meant needs it."""

_OPENING = re.compile(r'\{(?=\s*+["\w/}])')
_BLANK = re.compile(r"(?:[\s,]|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))*+")
"""White space, commas and comments; one that does not end reaches to the text's end."""
_QUOTE_OR_ESCAPE = re.compile(r'"|\\.', re.DOTALL)
_CLOSES_KEY = re.compile(r"\s*+(?:[:/]|\Z)")
_CLOSES = re.compile(r'\s*+(?:[,}\]/]|"\w{1,20}"\s*+:|\Z)')
"""What follows a string's last quotation mark: a comma, an end, a comment, or the next key. A mark
with anything else behind it stands inside the string."""
_TO_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\\"]')
_WORD = re.compile(r"[\w.+-]++")
_ITEM_END = re.compile(r"}\s*+[,\]]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Unread:
    """A value that is neither text, list nor object: a number, `null`, a bare word."""


_UNREAD = Unread()
Loose: TypeAlias = "str | Unread | list[Loose] | dict[str, Loose]"


class Read(NamedTuple):
    """A value, and how far it reached."""

    value: Loose
    end: int
    """Index behind the value, or where it could not be read on."""
    complete: bool
    """False where the value has no end: then it holds what of it was whole."""


def find_objects(text: str) -> Iterator[Read]:
    """Yield the objects that stand in `text`, outermost ones only, in order.

    Of an object or a list that is not finished, the finished members count. An unfinished member of
    a list does not, one of an object only where it is a list or an object itself. A broken member
    of a list is replaced by an `Unread`, and reading goes on behind it. Of lists under the same
    key, all members count; of other values, the last.
    """
    opening = _OPENING.search(text)
    while opening is not None:
        found = _read_object(text, opening.start(), 1)
        yield found
        opening = _OPENING.search(text, max(found.end, opening.end()))


def _read_object(text: str, start: int, depth: int) -> Read:
    found: dict[str, Loose] = {}
    at = _skip(text, start + 1)
    while not text.startswith("}", at):
        key = _read_key(text, at)
        colon = _skip(text, key.end)
        if not key.complete or not isinstance(key.value, str) or not text.startswith(":", colon):
            return Read(found, colon, complete=False)
        member = _read_value(text, _skip(text, colon + 1), depth)
        if member.complete or isinstance(member.value, list | dict):
            found[key.value] = _joined(found.get(key.value), member.value)
        if not member.complete:
            return Read(found, member.end, complete=False)
        at = _skip(text, member.end)
    return Read(found, at + 1, complete=True)


def _joined(known: "Loose | None", value: Loose) -> Loose:
    return [*known, *value] if isinstance(known, list) and isinstance(value, list) else value


def _read_list(text: str, start: int, depth: int) -> Read:
    found: list[Loose] = []
    at = _skip(text, start + 1)
    while not text.startswith("]", at):
        member = _read_value(text, at, depth)
        end = member.end
        if member.complete:
            found.append(member.value)
        else:
            resumed = _ITEM_END.search(text, end)
            if resumed is None:
                # Nothing behind it is looked at again, or reading would take quadratic time.
                return Read(found, len(text), complete=False)
            found.append(_UNREAD)
            end = resumed.start() + 1
        at = _skip(text, end)
    return Read(found, at + 1, complete=True)


def _read_value(text: str, at: int, depth: int) -> Read:
    opening = text[at : at + 1]
    if opening == '"':
        return _read_string(text, at, _CLOSES)
    if opening == "{" and depth < MAX_DEPTH:
        return _read_object(text, at, depth + 1)
    if opening == "[" and depth < MAX_DEPTH:
        return _read_list(text, at, depth + 1)
    word = _WORD.match(text, at)
    if word is None or word.end() == len(text):
        return Read(_UNREAD, word.end() if word else at, complete=False)
    return Read(_UNREAD, word.end(), complete=True)


def _read_key(text: str, at: int) -> Read:
    if text.startswith('"', at):
        return _read_string(text, at, _CLOSES_KEY)
    word = _WORD.match(text, at)
    return Read(word[0] if word else _UNREAD, word.end() if word else at, complete=word is not None)


def _read_string(text: str, start: int, closes: re.Pattern[str]) -> Read:
    at = start + 1
    while True:
        found = _QUOTE_OR_ESCAPE.search(text, at)
        if found is None:
            return Read(_UNREAD, len(text), complete=False)
        at = found.end()
        if found[0] == '"' and closes.match(text, at):
            return Read(_unescape(text[start + 1 : at - 1]), at, complete=True)


def _unescape(raw: str) -> str:
    """Return what the inside of a string means; escapes that JSON does not know are kept."""
    escaped = _TO_ESCAPE.sub(lambda found: found[0] if len(found[0]) > 1 else f"\\{found[0]}", raw)
    meant = json.loads(f'"{escaped}"', strict=False)
    return _SURROGATE.sub("\ufffd", str(meant))


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
