"""Session text as it may stand in a state: on one line, masked, escaped, clipped, marked."""

from longhaul.compaction.render.escape import clip, escape_text, quote_marks
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import Quote

_MAX_CODE_CHARS = 400
_MOST_PASSES = 6
"""A cut may leave what looks like a secret, hardly ever more than once."""
SHORT_CHARS = 160
"""Most characters of a quote outside Goal, Objective and Rules."""


def plain(text: str) -> str:
    """Return session text on one line, with secrets masked and nothing in it that acts."""
    return escape_text(mask_secrets(text))


def safe_line(text: str, max_chars: int) -> str:
    """Return `text` as `plain` does, in at most `max_chars` characters; doing it twice is the same.

    All of it is masked before any is cut off, or a cut secret would not be seen.
    """
    shown = text
    for _ in range(_MOST_PASSES):
        before, shown = shown, clip(plain(shown), max_chars)
        if shown == before:
            break
    return shown


def quoted(text: str, max_chars: int | None = None) -> str:
    """Return session text as a quotation of at most `max_chars` characters and its marks."""
    line = plain(text)
    return quote_marks(line if max_chars is None else clip(line, max_chars))


def code(text: str) -> str:
    """Return session text as a code span, or as a quotation where it holds a backtick itself.

    At most 400 characters of it, so that one overlong path does not starve the lines behind it.
    """
    line = clip(plain(text), _MAX_CODE_CHARS)
    return quote_marks(line) if "`" in line else f"`{line}`"


def short_quote(quote: Quote) -> str:
    """Return a quote's words, clipped."""
    return quoted(quote.text, SHORT_CHARS)
