"""A rule whose words hold several rules, of which a message withdraws one."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from longhaul.compaction.rules.lift_features import ordinal_of
from longhaul.compaction.rules.overlap import read_topic, shared_stems
from longhaul.compaction.state import Quote

_LINKED = 0.3
_FEWEST_WORDS = 3
"""A shorter piece between commas belongs to its neighbour."""
_ITEM = re.compile(r"(?:^|(?<=\s))\(?(?:[a-h]|\d)[.)]\s+(?=\S)")
_LAST = re.compile(r"[,;]\s+(?:and|und|y|et|e|och|en|oraz|и)\s|;\s")
_JOINT = re.compile(r"\s(?:--?|[—–])\s+(?:and|also|plus|und|auch|et|y|e|i|och|en)\s+")
"""A dash that goes on with another rule; one that goes on with a reason has no such word."""
_JOINT_END = re.compile(_JOINT.pattern + r"\Z")
_STOP = re.compile(r"[,;]\s+(?![^()]{0,80}\))|[.:]\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """The words of a rule, parted by what lifts one of the rules in them."""

    lifted: str
    kept: tuple[str, ...]
    """What stands before and after, without the marks between."""


def part_rule(quote: str, words: str) -> Parting | None:
    """Return how `words`, which lift something in `quote`, part it.

    None where `quote` is one rule, or `words` speak of more than one of those in it.
    """
    bounds = _bounds(quote)
    topic = read_topic(words)
    links = [
        sum(shared_stems(topic, read_topic(quote[start:end])).values())
        for start, end in pairwise(bounds)
    ]
    ordinal = ordinal_of(words)
    named = [index for index, link in enumerate(links) if link >= _LINKED]
    if _ITEM.match(quote) and 0 < ordinal <= len(links):
        named = [ordinal - 1]
    if len(links) < 2 or len(named) != 1:  # noqa: PLR2004 - one piece is the rule itself
        return None
    start, end = bounds[named[0]], bounds[named[0] + 1]
    kept = (_trimmed(quote[:start]), _trimmed(quote[end:]))
    return Parting(lifted=_trimmed(quote[start:end]), kept=tuple(piece for piece in kept if piece))


def left_of(rule: Quote, words: str) -> tuple[Quote, ...]:
    """Return what of a rule's words stays in force where `words` lift it: the other rules in it."""
    parting = part_rule(rule.text, words)
    return tuple(replace(rule, text=text) for text in parting.kept) if parting else ()


def _bounds(quote: str) -> list[int]:
    """Return where the pieces of a list begin, and where the last one ends."""
    items = [match.start() for match in _ITEM.finditer(quote)]
    if len(items) > 1:
        return [*items, len(quote)]
    stop = _STOP if _LAST.search(quote) else _JOINT
    bounds = [0]
    for match in stop.finditer(quote):
        rest = quote[match.end() :]
        if min(_n_words(quote[bounds[-1] : match.start()]), _n_words(rest)) >= _FEWEST_WORDS:
            bounds.append(match.end())
    return [*bounds, len(quote)]


def _n_words(text: str) -> int:
    return len(text.split())


def _trimmed(piece: str) -> str:
    stripped = _JOINT_END.sub("", piece).strip().rstrip(",;:").rstrip()
    return stripped if any(char.isalnum() for char in stripped) else ""
