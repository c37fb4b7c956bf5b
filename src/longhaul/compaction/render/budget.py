"""Which lines of a text stay when there is not room for all."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

MAX_BUDGET_CHARS = 10_000
MIN_BUDGET_CHARS = 4_000
_CHARS_PER_TOKEN = 4
_WINDOW_SHARE = 10
"""A state takes at most one part in this many of the model's window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a section, not yet chosen."""

    section: str
    text: str
    order: int
    """Where the line stands in its section."""
    n_items: int = 1
    """How many things it tells of."""


def budget_chars(window_tokens: int | None, max_chars: int = MAX_BUDGET_CHARS) -> int:
    """Return the characters that a state may take in a window of `window_tokens`.

    None stands for a window that is not known. Never under `MIN_BUDGET_CHARS`.
    """
    if window_tokens is None:
        return max(max_chars, MIN_BUDGET_CHARS)
    share = window_tokens * _CHARS_PER_TOKEN // _WINDOW_SHARE
    return max(min(max_chars, share), MIN_BUDGET_CHARS)


class Chosen(NamedTuple):
    """What fits, and the sections of which something did not."""

    lines: tuple[Line, ...]
    gave_way: frozenset[str]


def choose_lines(
    required: Iterable[Line], optional: Iterable[Iterable[Line]], *, max_chars: int
) -> Chosen:
    """Return all `required` lines and as many of the `optional` ones as fit in `max_chars`.

    `optional` holds groups, the one that gives way last first, each with the line to keep longest
    first. A group that does not fit whole is kept up to its first line that does not fit; no line
    behind that is asked for. A section's heading is counted with its first line.
    """
    chosen = list(required)
    sections = {line.section for line in chosen}
    used = sum(map(_cost, chosen)) + sum(map(_heading_cost, sections))
    gave_way: set[str] = set()
    for group in optional:
        for line in group:
            extra = 0 if line.section in sections else _heading_cost(line.section)
            if used + _cost(line) + extra > max_chars:
                gave_way.add(line.section)
                break
            used += _cost(line) + extra
            sections.add(line.section)
            chosen.append(line)
    return Chosen(tuple(chosen), frozenset(gave_way))


def _cost(line: Line) -> int:
    return len(line.text) + 1


def _heading_cost(section: str) -> int:
    return len(f"\n## {section}\n")
