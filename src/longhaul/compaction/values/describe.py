"""What a value is, in the words around its mention."""

import re
from collections.abc import Sequence

from longhaul.compaction.values.tokens import Mention

_WHAT_CHARS = 90
_LEAST_WORDS = 3
"""A shorter clause says too little by itself."""
_LIST_MARKS = re.compile(r"(?:[-*#>•|]+ )*")
_ENDS_CLAUSE = re.compile(r"[.,;!?][\"'`*_)\]”’»]*$").search


def describe(mention: Mention) -> str:
    """Return the clause around a mention, or of a long one the words next to the mention.

    At most 90 characters on one line, most of them before; `…` stands for what was cut off.
    """
    words, (first, last) = mention.words, _clause(mention.words, mention.index)
    start, end = mention.index, mention.index + 1
    n_chars = len(words[start])
    while start > first and n_chars + len(words[start - 1]) < _WHAT_CHARS * 2 // 3:
        start -= 1
        n_chars += len(words[start]) + 1
    while end < last and n_chars + len(words[end]) < _WHAT_CHARS - 2:
        n_chars += len(words[end]) + 1
        end += 1
    while start > first and n_chars + len(words[start - 1]) < _WHAT_CHARS - 2:
        start -= 1
        n_chars += len(words[start]) + 1
    shown = _LIST_MARKS.sub("", " ".join(words[start:end])[: _WHAT_CHARS - 2], count=1)
    shown = shown.replace("**", "").rstrip(",;")
    return f"{'…' if start > first else ''}{shown}{'…' if end < last else ''}"


def _clause(words: Sequence[str], index: int) -> tuple[int, int]:
    """Return where the clause around a word begins and ends; some clauses where it is short."""
    first, end = index, index + 1
    while end < len(words) and not _ENDS_CLAUSE(words[end - 1]):
        end += 1
    while first > 0 and (end - first < _LEAST_WORDS or not _ENDS_CLAUSE(words[first - 1])):
        first -= 1
    return first, end
