"""Words in quotation marks or backticks inside a sentence: shown by its author, not said."""

import re
from collections.abc import Iterator

from longhaul.compaction.unspaced import holds_words

_MAX_QUOTATION_CHARS = 4000
"""What is not closed within so many characters is no quotation."""
_MAX_SINGLE_CHARS = 400
"""The same behind a `'`, which is an apostrophe more often; it also ends with its line."""
_SAYING_WORDS = 4
"""Fewer words in quotation marks are a name, and say nothing."""
_SAYING_SIGNS = 8
"""The same in scripts that part no words."""

CLOSING_MARKS = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", "`": "`"}
"""By opening mark, the marks that close it; `'` is apart, as it is an apostrophe too."""
CLOSING_MARKS["‘"] = "’"
OPENING_MARK = r"(?<![\w.)])'(?=\w)|‘|[\"“„«「『`]"
"""What may open a quotation."""
_OPENING = re.compile(OPENING_MARK)
_SINGLE = re.compile(r"(?<=\S)'(?!\w)")


def past_quotation(text: str, opening: int, end: int) -> int:
    """Return where the quotation that opens at `opening` is closed, else the next character."""
    before = text[opening - 1 : opening]
    if text[opening] in '"' and (before.isalnum() or before == "."):
        return opening + 1
    limit = min(end, opening + _MAX_QUOTATION_CHARS)
    if text[opening] == "'":
        limit = min(limit, opening + _MAX_SINGLE_CHARS)
        newline = text.find("\n", opening, limit)
        closing = _SINGLE.search(text, opening + 1, newline if newline >= 0 else limit)
        return closing.end() if closing else opening + 1
    closings = [text.find(c, opening + 1, limit) for c in CLOSING_MARKS[text[opening]]]
    found = [closing for closing in closings if closing > 0]
    return min(found) + 1 if found else opening + 1


def find_quotations(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the quotations in `text[start:end]` stand, their marks included."""
    while match := _OPENING.search(text, start, end):
        start = past_quotation(text, match.start(), end)
        if start > match.end():
            yield match.start(), start


def find_sayings(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the quotations in `text[start:end]` of words enough to say something: no mere name."""
    for left, right in find_quotations(text, start, end):
        if holds_words(text[left:right], n_words=_SAYING_WORDS, n_signs=_SAYING_SIGNS):
            yield left, right


def without_sayings(sentence: str) -> str:
    """Return what a sentence says by itself: `…` stands for each longer quotation in it."""
    said, at = "", 0
    for left, right in find_sayings(sentence, 0, len(sentence)):
        said += f"{sentence[at:left]}…"
        at = right
    return said + sentence[at:]
