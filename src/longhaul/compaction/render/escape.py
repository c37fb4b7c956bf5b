"""Session text made safe to stand inside a line of the state.

What a session holds is untrusted: it must not move a terminal's cursor, close the `<summary>`
wrapper that pi puts around a state, start a heading, or end a quotation early. Everything else
stays as it was written.
"""

import re

from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.white_space import fold_space

_SURROGATE = re.compile("[\ud800-\udfff]")
_WRAPPER = re.compile(r"[<＜﹤](?=[^\w<]{0,8}summary)", re.IGNORECASE)  # noqa: RUF001 - look-alikes
_MARKS = (('"', '"'), ("“", "”"), ("«", "»"))
_PAIRS = (("“", "”"), ("«", "»"), ("‘", "’"))


def clip(text: str, max_chars: int) -> str:
    """Return `text`, or its beginning and `…`, in at most `max_chars` characters.

    The cut falls between words where that loses less than half the room.
    """
    if len(text) <= max_chars:
        return text
    room = max_chars - 1
    if room < 0:
        return ""
    space = text.rfind(" ", 0, room + 1)
    end = space if space * 2 >= room else room
    return text[:end].rstrip() + "…"


def escape_text(text: str) -> str:
    """Return `text` on one line, with nothing in it that acts on a terminal or on the wrapper.

    Terminal sequences, control, bidirectional and zero-width characters are dropped, lone
    surrogates become U+FFFD, and `<` becomes `&lt;` where it opens or closes a `summary` tag in any
    spelling. Escaping twice changes nothing.
    """
    whole = _SURROGATE.sub("\ufffd", fold_space(drop_invisible(text)))
    return _WRAPPER.sub("&lt;", whole)


def quote_marks(text: str) -> str:
    """Return `text` in the first of `"…"`, `“…”`, `«…»` whose marks it does not hold.

    Where it holds all of them, its `"` become `'`. Marks inside that would pair with one outside
    become `'` too, so that whoever removes quotations removes exactly this one.
    """
    balanced = balance_marks(text)
    for opening, closing in _MARKS:
        if opening not in balanced and closing not in balanced:
            return f"{opening}{balanced}{closing}"
    return f'"{balanced.replace(chr(34), chr(39))}"'


def balance_marks(text: str) -> str:
    """Return `text` with `'` for each quotation mark that opens and is not closed in it."""
    if text.count('"') % 2:
        before, after = text.rsplit('"', 1)
        text = f"{before}'{after}"
    for opening, closing in _PAIRS:
        closed = text.rfind(closing) + 1
        text = text[:closed] + text[closed:].replace(opening, "'")
    return text
