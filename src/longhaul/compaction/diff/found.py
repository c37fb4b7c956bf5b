"""Words that a diff quotes, found where the user says them, and fitted so that they say a rule."""

import re
from dataclasses import dataclass

from longhaul.compaction.diff.changes import DropReason
from longhaul.compaction.diff.heard import Heard, is_shown
from longhaul.compaction.diff.quoted_words import find_places, is_own, is_short, sentences_at
from longhaul.compaction.rules.finder import score_sentences_of
from longhaul.compaction.rules.polarity import read_polarity, refuses
from longhaul.compaction.statements import Statement
from longhaul.compaction.white_space import fold_space

RULE_CHARS = 300
"""Most characters of a rule's quote; of longer words the likeliest sentence stands for them."""
_WORD = re.compile(r"\w+")
_WORD_AT_END = re.compile(r"\w+\Z")
_JOINING = "and then but so also und dann aber y et e en och i и"
"""Words at which a clause may end or begin."""
_JOINS = frozenset(_JOINING.split())
_AT_AN_END = " \t\n*_()[]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Words that a diff quotes, where the user says them."""

    statement: Statement
    start: int
    end: int
    score: float
    """How much the likeliest sentence that they touch looks like a rule to code, 0 to 1."""

    @property
    def text(self) -> str:
        """The words, on one line."""
        return fold_space(self.statement.text[self.start : self.end])


def find_own(quote: str, turn: int, heard: Heard) -> Found | DropReason:
    """Return where the user says `quote` in a turn, or why it counts for nothing."""
    if not _WORD.search(quote):
        return "too short"
    shown = False
    for statement in heard.by_turn.get(turn, ()):
        for start, end in find_places(quote, statement.text):
            if is_own(statement.text, start, end):
                return _scored(statement, start, end)
            shown = True
    if shown or is_shown(heard, turn, quote):
        return "not the user's words"
    return "not verbatim"


def _scored(statement: Statement, start: int, end: int) -> Found:
    scores = score_sentences_of(statement.text)
    touched = (score for one, score in scores if one.start < end and one.end > start)
    return Found(statement=statement, start=start, end=end, score=max(touched, default=0.0))


def fit_rule(found: Found) -> Found:
    """Return words that say a rule by themselves: more of too few, the likeliest of too many.

    Where the sentence around the words turns their meaning, or they are torn out of a clause, all
    of it is quoted.
    """
    text = found.statement.text
    touched = sentences_at(text, found.start, found.end)
    start, end = min(found.start, touched[0].start), max(found.end, touched[-1].end)
    words, around = text[found.start : found.end], text[start:end]
    torn = end - start <= RULE_CHARS and _is_torn(text, found, start, end)
    if torn or is_short(words) or _turns_meaning(words, around):
        found = _scored(found.statement, start, end)
    if len(found.text) <= RULE_CHARS:
        return found
    scores = (pair for pair in score_sentences_of(text) if pair[0] in touched)
    likeliest = max(scores, key=lambda pair: (pair[1], -pair[0].start), default=(touched[0], 0.0))
    start, end = likeliest[0].start, likeliest[0].end
    return _scored(found.statement, start, _clipped(text, start, end))


def _turns_meaning(words: str, around: str) -> bool:
    """Return whether words ask for what the sentence around them refuses, or may do so.

    A refusal may reach over commas ("may not, ever, push"), so any in the sentence counts.
    """
    if refuses(around) and not refuses(words):
        return True
    alone, within = read_polarity(words), read_polarity(around)
    return any(within.get(stem, sign) != sign for stem, sign in alone.items())


def _is_torn(text: str, found: Found, start: int, end: int) -> bool:
    """Return whether words begin or end within a clause of `text[start:end]`."""
    before = _WORD_AT_END.search(text[start : found.start].rstrip(_AT_AN_END))
    after = _WORD.match(text[found.end : end].lstrip(_AT_AN_END))
    return any(word is not None and word[0].lower() not in _JOINS for word in (before, after))


def _clipped(text: str, start: int, end: int) -> int:
    limit = min(end, start + RULE_CHARS)
    space = text.rfind(" ", start, limit)
    return limit if limit == end or space < 0 else space


def overlap(one: Found, other: Found) -> bool:
    """Return whether words of one message share half of the shorter of them, or more."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return 2 * shared >= min(one.end - one.start, other.end - other.start)
