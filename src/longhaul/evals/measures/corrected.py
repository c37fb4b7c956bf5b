"""Messages of the user that a word list takes for corrections, and whether a text keeps them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.compaction.statements import find_statements
from longhaul.compaction.white_space import fold_space
from longhaul.transcript.entries import Path

WINDOW_CHARS = 12
"""So much of a message, verbatim, keeps it."""
_MOST_CHARS = 20_000
"""More of a message, white space folded, is not looked at."""
_RULE_WORD = re.compile(r"\b(?:never|always|don['’]t|do not|must|stop)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A message of the user that contains a rule word."""

    name: str
    """`u7`, as turns are counted."""
    index: int
    """Of its entry on the path."""
    text: str
    """As typed, white space folded and secrets masked."""


def find_corrections(path: Path) -> tuple[Correction, ...]:
    """Return the typed messages with a rule word in them, oldest first.

    Blocks that pi puts into a message are no part of it; answers to an asking tool are no messages.
    """
    return tuple(_corrections(path))


def _corrections(path: Path) -> Iterator[Correction]:
    statements = find_statements(path, 0, len(path), n_turns=0, ask_tools=())
    indices = {entry.id: index for index, entry in enumerate(path)}
    for statement in statements:
        text = fold_space(statement.text)[:_MOST_CHARS]
        if _RULE_WORD.search(text):
            index = indices[statement.entry_id]
            yield Correction(name=f"u{statement.turn}", index=index, text=text)


def windows_of(section: str) -> frozenset[str]:
    """Return every window of a text whose white space is folded."""
    ends = range(WINDOW_CHARS, len(section) + 1)
    return frozenset(section[end - WINDOW_CHARS : end] for end in ends)


def is_kept(correction: Correction, section: str, windows: frozenset[str]) -> bool:
    """Return whether some window of a message stands in `section`, whose `windows` these are.

    A message shorter than a window must stand there whole.
    """
    text = correction.text
    if len(text) < WINDOW_CHARS:
        return text in section
    return any(
        text[end - WINDOW_CHARS : end] in windows for end in range(WINDOW_CHARS, len(text) + 1)
    )
