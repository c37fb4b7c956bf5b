"""Where in a text the words of a query stand closest, and the quote of that place."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.compaction.recall.query import Query
from longhaul.compaction.recall.words import Term

_MOST_PLACES = 50
"""So many occurrences of one word are looked at."""
_SHORT_LINE_CHARS = 60
"""A shorter line says too little alone: what follows is quoted with it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A place in a text."""

    start: int
    closeness: float
    """How much of the query stands in the line there, from 0 to 1."""


def find_passage(text: str, query: Query) -> Passage:
    """Return the line that holds most of a query, the first of several; else the beginning."""
    lowered = lower(text)
    for needle in query.exact:
        at = text.find(needle)
        if at >= 0 or (at := lowered.find(lower(needle))) >= 0:
            return Passage(at, 1.0)
    lines: defaultdict[int, float] = defaultdict(float)
    first: dict[int, int] = {}
    for term in query.terms:
        for line, (weight, place) in _places(lowered, term).items():
            lines[line] += weight
            first[line] = min(place, first.get(line, place))
    if not lines:
        return Passage(0, 0.0)
    best = max(lines, key=lambda line: (lines[line], -line))
    return Passage(first[best], lines[best] / len(query.terms))


def lower(text: str) -> str:
    """Return `text` in small letters and of the same length."""
    return text.lower() if text.isascii() else text.replace("\u0130", "i").lower()


def _places(lowered: str, term: Term) -> dict[int, tuple[float, int]]:
    """Return by the start of each line that holds `term` how much of it, from 0 to 1, and where."""
    lines = {line: (1.0, place) for line, place in _found(lowered, term.text)}
    if lines:
        return lines
    pieces = term.fragments or term.parts
    shares: dict[int, tuple[float, int]] = {}
    for piece in pieces:
        for line, place in dict(_found(lowered, piece)).items():
            share, first = shares.get(line, (0.0, place))
            shares[line] = (share + 0.8 / len(pieces), min(first, place))
    return shares


def _found(lowered: str, needle: str) -> Iterator[tuple[int, int]]:
    """Yield the start of each line that holds `needle`, and where in the text it stands there."""
    at = lowered.find(needle)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return
        yield lowered.rfind("\n", 0, at) + 1, at
        end_of_line = lowered.find("\n", at)
        at = lowered.find(needle, end_of_line) if end_of_line >= 0 else -1


def excerpt(text: str, at: int, max_chars: int, *, is_prose: bool) -> str:
    """Return what stands around `at`, verbatim, with `…` where it was cut off inside a line.

    It begins with the line there; of prose, and of a short line, what follows belongs to it.
    """
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    if is_prose or end - start < _SHORT_LINE_CHARS:
        end = min(len(text), max(end, start + max_chars))
    if end - start <= max_chars:
        return _marked(text, start, end)
    start = max(start, min(at - max_chars // 3, end - max_chars))
    return _marked(text, _word_start(text, start, at), min(end, start + max_chars))


def _word_start(text: str, start: int, at: int) -> int:
    """Return where the first whole word after `start` begins, if that is before `at`."""
    if start == 0 or text[start - 1].isspace():
        return start
    space = text.find(" ", start, at)
    return space + 1 if space >= 0 else start


def _marked(text: str, start: int, end: int) -> str:
    begins = start == 0 or text[start - 1] == "\n"
    ends = end == len(text) or text[end] == "\n"
    return f"{'' if begins else '…'}{text[start:end]}{'' if ends else '…'}"


def beginning(text: str, max_chars: int) -> str:
    """Return the beginning of a text, with `…` where it goes on."""
    start = len(text) - len(text.lstrip())
    return _marked(text, start, min(len(text), start + max_chars))
