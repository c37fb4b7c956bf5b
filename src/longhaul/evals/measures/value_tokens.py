"""Values in a text: tokens that say something by themselves, found for the harness.

A finder of its own, so that what the compactor takes for a value decides nothing here.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from longhaul.evals.measures.file_names import is_file_name

_TOKEN = re.compile(r"\w+(?:(?:[.-]|(?<=[0-9])(?::(?=[0-9]{2}\b)|,(?=[0-9]{3}\b)))\w+)*")
_LEAST_CHARS, _MOST_CHARS = 4, 100
_NUMERIC = re.compile(r"[0-9][0-9.,:-]*")
_IDENTIFIER = re.compile(r"[^\W\d_]_+[^\W_]|[a-z][A-Z]|__[a-z]")
_DOTTED = re.compile(r"[^\W\d_]\w+(?:\.[^\W\d_]\w+)+")
_HASH = re.compile(r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}")
_NAME_PART = re.compile(r"[^\W\d]+[0-9]{0,4}[^\W\d]*")
_PARTS = re.compile(r"[.-]")
_LEAST_DIGITS = 2
_LEAST_NUMBER_DIGITS, _LEAST_INTEGER_DIGITS = 3, 4
_FIRST_YEAR, _LAST_YEAR = 1900, 2099


def find_tokens(text: str) -> list[str]:
    """Return the tokens of a text in order, values or not, repetitions included.

    Words, with those joined to them by a dot or a hyphen, and numbers with their separators. A
    slash parts tokens: of a path, the file's name is one.
    """
    return _TOKEN.findall(text)


def find_values(text: str) -> Iterator[str]:
    """Yield the tokens of a text that are values, each once, in no order."""
    return filter(is_value, set(_TOKEN.findall(text)))


@lru_cache(maxsize=1 << 14)
def is_value(token: str) -> bool:
    """Return whether a token is telling enough to be one value, wherever it stands.

    A name of code, a file's name, a hash, a date, a time, a decimal of three digits, an integer of
    four. Plain words, years, round and small numbers stand anywhere, and are none.
    """
    if not _LEAST_CHARS <= len(token) <= _MOST_CHARS:
        return False
    if _NUMERIC.fullmatch(token):
        return _is_telling(token)
    n_digits = sum(map(str.isdigit, token))
    return (
        n_digits >= _LEAST_DIGITS
        or _IDENTIFIER.search(token) is not None
        or _DOTTED.fullmatch(token) is not None
        or is_file_name(token)
    )


def is_code_name(value: str) -> bool:
    """Return whether a value is a name in code: an identifier, or a dotted one.

    File names and hashes are none, and neither is what holds more digits than names do: an id, a
    version, a number with its unit.
    """
    if is_file_name(value) or _HASH.fullmatch(value):
        return False
    return all(_NAME_PART.fullmatch(part) for part in _PARTS.split(value))


def _is_telling(number: str) -> bool:
    if not number.isdigit():
        return sum(map(str.isdigit, number)) >= _LEAST_NUMBER_DIGITS
    is_round = len(number.rstrip("0")) <= 1
    is_year = len(number) == len("2026") and _FIRST_YEAR <= int(number) <= _LAST_YEAR
    return len(number) >= _LEAST_INTEGER_DIGITS and not is_round and not is_year
