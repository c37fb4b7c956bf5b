"""Messages of the user that a word list takes for corrections, and whether a text keeps them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from longhaul.compaction.statements import find_statements
from longhaul.compaction.white_space import fold_space
from longhaul.transcript.entries import Path

_WINDOW_CHARS = 12
"""So much of a message, verbatim, keeps it."""
_PIECE_CHARS = 8
_STRIDE = _WINDOW_CHARS - _PIECE_CHARS + 1
"""Of the pieces that begin so far apart, every window of a message holds one."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrections:
    """The corrections of a path, ready to be looked for in many texts."""

    listed: tuple[Correction, ...] = ()
    """Oldest first."""
    short: tuple[Correction, ...] = ()
    """Those shorter than a window."""
    pieces: Mapping[str, Sequence[tuple[Correction, int]]] = field(default_factory=dict)
    """Where each piece stands in the others."""

    def kept_in(self, section: str) -> frozenset[str]:
        """Return the names of the messages that a text, its white space folded, keeps.

        It keeps one of which some window stands in it; one that is shorter must stand in it whole.
        """
        kept = {one.name for one in self.short if one.text in section}
        for at in range(len(section) - _PIECE_CHARS + 1):
            for one, position in self.pieces.get(section[at : at + _PIECE_CHARS], ()):
                if (
                    one.name not in kept
                    and _n_same(one.text, position, section, at) >= _WINDOW_CHARS
                ):
                    kept.add(one.name)
        return frozenset(kept)


def find_corrections(path: Path) -> Corrections:
    """Return the typed messages with a rule word in them.

    Blocks that pi puts into a message are no part of it; answers to an asking tool are no messages.
    """
    listed = tuple(_corrections(path))
    pieces: defaultdict[str, list[tuple[Correction, int]]] = defaultdict(list)
    for one in listed:
        for position in _positions(one.text):
            pieces[one.text[position : position + _PIECE_CHARS]].append((one, position))
    short = tuple(one for one in listed if len(one.text) < _WINDOW_CHARS)
    return Corrections(listed=listed, short=short, pieces=dict(pieces))


def _corrections(path: Path) -> Iterator[Correction]:
    indices = {entry.id: index for index, entry in enumerate(path)}
    for statement in find_statements(path, 0, len(path), n_turns=0, ask_tools=()):
        text = fold_space(statement.text)[:_MOST_CHARS]
        if _RULE_WORD.search(text):
            index = indices[statement.entry_id]
            yield Correction(name=f"u{statement.turn}", index=index, text=text)


def _positions(text: str) -> Iterable[int]:
    """Return where the pieces of a message begin; of those that all around is the same, the first.

    So a line of dashes has a few, not one every five characters, each of which meets each other.
    """
    if len(text) < _WINDOW_CHARS:
        return ()
    starts = range(0, len(text) - _PIECE_CHARS + 1, _STRIDE)
    around = {
        (text[at : at + _PIECE_CHARS], text[max(0, at - _STRIDE) : at + _WINDOW_CHARS]): at
        for at in reversed(starts)
    }
    return sorted(around.values())


def _n_same(text: str, position: int, section: str, at: int) -> int:
    """Return how many characters in a row are the same around a piece that both hold."""
    before = zip(
        reversed(text[max(0, position - _STRIDE) : position]),
        reversed(section[max(0, at - _STRIDE) : at]),
        strict=False,
    )
    behind = zip(
        text[position + _PIECE_CHARS : position + _WINDOW_CHARS],
        section[at + _PIECE_CHARS : at + _WINDOW_CHARS],
        strict=False,
    )
    return _PIECE_CHARS + sum(_n_leading(pairs) for pairs in (before, behind))


def _n_leading(pairs: Iterable[tuple[str, str]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
