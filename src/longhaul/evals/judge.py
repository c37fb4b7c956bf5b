"""Reading a compactor's text: its rules section, and what shows a rule lifted.

Works on any compactor's text, Markdown headings or not, so that all are judged alike.
"""

import re
from collections.abc import Iterable
from types import MappingProxyType

from longhaul.compaction.values.search import is_whole
from longhaul.evals.markers import is_found, without_matches

_HEADING = re.compile(r"\s{0,3}(?:#{1,4}\s+(?P<hashed>\S.*)|\*\*(?P<bold>[^*]+)\*\*\s*+:?\s*+)\Z")
_RULES_WORD = re.compile(r"\b(?:rules?|constraints?|preferences?)\b", re.IGNORECASE)
_QUOTE_MARKS = MappingProxyType({'"': '"', "“": "”", "«": "»", "‘": "’"})
_OPENING = re.compile(f"[{''.join(_QUOTE_MARKS)}]")
_LIFTED = re.compile(
    r"~~|\b(?:lift(?:ed|s)?|no longer|withdrawn|replaced|superseded|revoked|rescinded|obsolete"
    r"|cancell?ed|cancel)\b",
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"\bu([0-9]{1,7})\b")


def rules_section(text: str) -> tuple[str, ...]:
    """Return the lines under headings that name rules, constraints or preferences.

    A section ends at the next heading of any kind. A text without headings is one section.
    """
    lines = text.splitlines()
    headings = [_HEADING.match(line) for line in lines]
    inside = not any(headings)
    chosen = []
    for line, heading in zip(lines, headings, strict=True):
        if heading:
            inside = bool(_RULES_WORD.search(heading["hashed"] or heading["bold"]))
        elif inside and line.strip():
            chosen.append(line)
    return tuple(chosen)


def shows_lifted(line: str, marker: str) -> bool:
    """Return whether `line` says of the rule that `marker` matches that it no longer holds.

    Only words outside quote marks, and outside what the marker matches in the rest, say so.

    Raises:
        MarkerError: the marker takes too long; so in all that takes one.
    """
    return bool(_LIFTED.search(without_matches(marker, _unquoted(line))))


def matches(line: str, marker: str) -> bool:
    """Return whether `line` names what `marker` stands for."""
    return is_found(marker, line)


def bound_turn(line: str) -> int | None:
    """Return the number of the user message that `line` is bound to; None where it names none."""
    found = _MESSAGE.search(_unquoted(line))
    return int(found[1]) if found else None


def _unquoted(line: str) -> str:
    """Return a line with a space for each quotation; a mark that nothing closes opens none.

    One pass: a regular expression would look for the end of each of many open marks anew.
    """
    last = {closing: line.rfind(closing) for closing in _QUOTE_MARKS.values()}
    parts, start, opening = [], 0, _OPENING.search(line)
    while opening:
        closing, behind = _QUOTE_MARKS[opening[0]], opening.end()
        if behind <= last[closing]:
            parts.append(line[start : opening.start()])
            behind = start = line.index(closing, behind) + 1
        opening = _OPENING.search(line, behind)
    return " ".join((*parts, line[start:]))


def keeps_rule(lines: Iterable[str], marker: str) -> bool:
    """Return whether a line names the rule and does not show it lifted."""
    return any(matches(line, marker) and not shows_lifted(line, marker) for line in lines)


def honours_lift(lines: Iterable[str], marker: str, lifting_turn: int) -> bool:
    """Return whether no line shows the lifted rule in force.

    A line bound to the message that lifts it may quote it.
    """
    return find_in_force(lines, marker, lifting_turn) is None


def find_in_force(lines: Iterable[str], marker: str, lifting_turn: int) -> str | None:
    """Return the first line that shows a lifted rule in force, or None."""
    unbound = (line for line in lines if bound_turn(line) != lifting_turn)
    return next((line for line in unbound if keeps_rule((line,), marker)), None)


def stray_lines(lines: Iterable[str], labelled_turns: Iterable[int]) -> tuple[str, ...]:
    """Return the lines bound to a message that gives no rule and lifts none."""
    labelled = set(labelled_turns)
    turns = [(line, bound_turn(line)) for line in lines]
    return tuple(line for line, turn in turns if turn is not None and turn not in labelled)


def find_spelling(text: str, accept: Iterable[str]) -> str | None:
    """Return the first spelling that stands in `text` as a whole token, or None.

    Whole is what neither a word character nor a dot precedes, and neither a word character nor a
    dot and a digit follows.
    """
    return next((spelling for spelling in accept if _holds_whole(text, spelling)), None)


def _holds_whole(text: str, token: str) -> bool:
    start = text.find(token)
    while start >= 0:
        if is_whole(text, start, start + len(token)):
            return True
        start = text.find(token, start + 1)
    return False
