"""Which lines can hold no part of a secret, told fast for all lines of a session.

To mask every text of a long session takes minutes of scanning; most of its lines stand in it many
times. Where each line of a text is safe by itself, so is the text: what `mask_secrets` finds stands
in one line, or begins in a line that is told here to be open.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.secrets import mask_secrets

_OPENERS = (
    *("-----begin ", "private-lines:", "machine", 'auth"', "whsec_"),
    *("mysql", "mariadb", "docker login", "redis-cli", "curl"),
)
"""What a line holds, in small letters, from which a secret may go on into the next lines."""
_OPEN_END = re.compile(r"[:=>][ \t\r]*$", re.MULTILINE)
_NAME = re.compile(r"pass|pwd|secret|token|credential|kennwort|contrase|mdp|senha|key")
_NAME_CHARS = 60
"""A line may give something to a secret's name in the next line where the name stands so near."""
_CHUNK_LINES = 4096
_LONE_LINES = 8
"""So many lines are judged one by one; more are halved to find the one that is not safe."""


def find_unsafe(lines: Iterable[str]) -> set[str]:
    """Return the lines that hold a secret, or from which one may go on into the next line."""
    plain: list[str] = []
    other: list[str] = []
    for line in lines:
        # Apart, because one character past ASCII makes a text several times slower to search.
        (plain if line.isascii() else other).append(line)
    return {
        unsafe
        for listed in (plain, other)
        for start in range(0, len(listed), _CHUNK_LINES)
        for unsafe in _unsafe_in(listed[start : start + _CHUNK_LINES])
    }


def _unsafe_in(lines: Sequence[str]) -> Iterator[str]:
    if _is_safe("\n".join(lines)):
        return
    if len(lines) <= _LONE_LINES:
        yield from (line for line in lines if not _is_safe(line))
        return
    middle = len(lines) // 2
    yield from _unsafe_in(lines[:middle])
    yield from _unsafe_in(lines[middle:])


def _is_safe(text: str) -> bool:
    if "\x1b" in text:
        return False
    visible = drop_invisible(text).replace("\u0130", "i").lower()
    if any(map(visible.__contains__, _OPENERS)) or _is_open(visible):
        return False
    return mask_secrets(text) == text


def _is_open(lowered: str) -> bool:
    """Return whether a line ends with a secret's name that is given something."""
    return any(
        _NAME.search(lowered, max(0, found.start() - _NAME_CHARS), found.start())
        for found in _OPEN_END.finditer(lowered)
    )
