"""Words beside a number that say what it is, or that it is nothing to keep."""

import re

LABELS = frozenset(
    (
        *("port", "pid", "id", "version", "total", "count", "seed", "build", "job", "issue", "pr"),
        *("ticket", "batch", "revision", "size", "offset", "checksum", "crc", "score", "sum"),
        *("commit", "schema", "sequence", "serial", "order", "invoice", "account", "code"),
    )
)
"""Words that say what a bare number behind them is."""
PLACES = frozenset(
    (
        *("line", "lines", "step", "steps", "phase", "section", "part", "option", "item", "figure"),
        *("table", "day", "level", "point", "task", "turn", "col", "column", "row", "page"),
        *("chapter", "note", "example", "case", "rule", "question", "attempt"),
    )
)
"""Words behind which a number only says where, or which of several."""
_NO_NOUNS = frozenset(
    (
        *("of", "and", "the", "in", "to", "for", "from", "with", "on", "at", "by", "as", "or"),
        *("is", "are", "was", "were", "be", "per", "than", "then", "that", "this", "it", "all"),
        *("more", "less", "over", "under", "about", "after", "before", "between", "out", "up"),
        *("only", "not", "but", "so", "if", "when", "which", "while", "has", "have", "had"),
        *("will", "now", "there", "its", "his", "does", "goes", "always", "perhaps"),
    )
)
_COUNTED = frozenset(
    (
        *("passed", "failed", "skipped", "passing", "failing", "pending", "ignored", "xfailed"),
        *("changed", "added", "removed", "inserted", "deleted", "modified", "updated", "selected"),
        *("total", "people", "children", "data"),
    )
)
"""What is counted without being a plural."""
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{2,}")


def is_word(text: str) -> bool:
    """Return whether `text` is a word that may stand between a number and what it counts."""
    return _WORD.fullmatch(text) is not None and text.lower() not in _NO_NOUNS


def is_counted(text: str) -> bool:
    """Return whether `text` is what a number before it counts: a plural, or a word like `passed`.

    Else `1411 turning` would be a number of something.
    """
    if not is_word(text):
        return False
    word = text.lower()
    return word in _COUNTED or (word[-1] == "s" and not word.endswith(("ss", "us", "is")))
